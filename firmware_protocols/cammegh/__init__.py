"""The Cammegh Slingshot 2 roulette wheel (RS-232C): its lines of text, the data in them, and the spins that follow from
them. PROTOCOL.md describes the lines.
"""
