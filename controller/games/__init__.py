"""The games of the core as the shell uses them: how devices tell of one, and how it looks on a screen."""
