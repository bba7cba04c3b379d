"""The controller as a real process: a child, real ptys, a real socket, a real journal."""
