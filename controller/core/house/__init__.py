"""What every table has: its session, its people, what holds it and what is owed."""
