"""Scripted people: dealer, chief supervisor, table inspector, room manager, technician.

A person's next deed follows from the controller's status and the objects in front of him; he remembers nothing else. No
I/O, no clock.
"""
