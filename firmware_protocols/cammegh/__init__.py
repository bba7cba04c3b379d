"""The Cammegh Slingshot 2 roulette wheel (RS-232C): its lines, its words, and the spins in them; PROTOCOL.md."""
