"""The scripted people at a card table: dealer, chief supervisor, table inspector, room manager, technician.

Each person decides on the next deed or act from the controller's status and the visible objects alone, without memory.
No I/O, no clock.
"""
