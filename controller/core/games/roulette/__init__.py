"""American roulette in Portugal: wheel, chips, spins, bets and their payments (clauses pt.rou)."""
