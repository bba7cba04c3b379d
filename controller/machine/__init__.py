"""The program and the computer that it runs on: version, users, socket, clock, crashes."""
