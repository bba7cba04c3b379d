"""American roulette: wheel, chips, spins, bets and their payments (Portugal, clauses pt.rou)."""
