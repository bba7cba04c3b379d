"""The table as data for screens: the status, the acts with their values, and the steps by which people end a hold."""
