"""The shapes of acts, facts and decisions, and the machine for steps. The modules here know no table."""
