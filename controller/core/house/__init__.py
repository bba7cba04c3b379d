"""The part of the core that every table has: session, people, holds, duties and jackpot."""
