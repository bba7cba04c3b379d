"""`sabot-sim demo`: a whole simulated table. Devices on ptys, the real `sabot run` as a child, scripted people who act
through its socket, and oracles that judge the end.
"""
