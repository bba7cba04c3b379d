"""`sabot-sim demo`: a whole simulated table.

Devices are on ptys, the real `sabot run` is a child process, scripted people act through its socket, and oracles judge
the end.
"""
