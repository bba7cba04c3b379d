"""The kinds of device, each with its driver, and the translation of device reports into facts."""
