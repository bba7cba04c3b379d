"""The table as data for screens: the status, the acts with their values, and the steps to the end of a hold."""
