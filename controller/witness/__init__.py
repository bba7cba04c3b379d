"""A small witness: it keeps the last head of each log that it has signed, and signs only a head that continues it."""
