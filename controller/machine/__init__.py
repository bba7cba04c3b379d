"""The computer and the program: version, users, socket, crashes."""
