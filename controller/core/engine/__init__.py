"""Acts, guards, decisions and machines. The modules here know no table."""
