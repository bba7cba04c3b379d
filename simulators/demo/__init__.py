"""`sabot-sim demo`: runs a whole simulated table.

The devices are on pseudo-terminals, the real `sabot run` is a child process, scripted people act through its socket,
and oracles judge the result.
"""
