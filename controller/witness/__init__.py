"""A small witness: of each log one head, and a later one signed only where it goes on from that."""
