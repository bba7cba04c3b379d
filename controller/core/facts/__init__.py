"""What a fact does to the table: one file a kind of source."""
