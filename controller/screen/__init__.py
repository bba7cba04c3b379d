"""The pages and offers as data: the status, acts with their values, the steps to the end of a hold."""
