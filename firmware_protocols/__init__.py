"""The wire protocols: messages to bytes and back, pure but for `tdp.conform`, whose caller gives it line and clock."""
