"""Acts, guards, decisions and machines. No module here knows a table."""
