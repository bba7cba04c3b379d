"""American roulette: wheel, chips, spins, bets and what they are paid (Portugal, clauses pt.rou)."""
