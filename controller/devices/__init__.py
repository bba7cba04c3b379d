"""The kinds of device in the shell: their drivers, and their reports translated into facts."""
