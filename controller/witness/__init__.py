"""A small witness: it keeps one head of each log, and signs a later head only where it continues the kept one."""
