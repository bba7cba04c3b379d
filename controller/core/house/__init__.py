"""The part of every table: its session, its people, its holds and its debts."""
