"""Acts, guards, decisions and machines. Nothing here knows a table."""
