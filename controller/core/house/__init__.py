"""The part of every table: its session, its people, its holds, its duties and its jackpot."""
