"""The games. Each uses house, custody and engine; no game uses another."""
