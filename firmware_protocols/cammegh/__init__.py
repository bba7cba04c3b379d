"""The Cammegh Slingshot 2 roulette wheel (RS-232C): its lines, their data, and the spins in them. PROTOCOL.md describes
them.
"""
