"""The games for the shell: each turns the reports of its devices into facts, and shows its table on a screen."""
