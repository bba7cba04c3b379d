"""The games that a table can play. Each is built on house, custody and engine; no game imports another."""
