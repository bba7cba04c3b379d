"""Scripted people: dealer, chief supervisor, room manager, technician. What each does next follows from what the
controller's status says and from what lies in front of them; nothing else is remembered. No I/O, no clock.
"""
