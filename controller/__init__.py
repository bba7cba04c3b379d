"""The controller: the table's procedure (core) and everything with a side effect around it."""
