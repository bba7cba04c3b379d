"""The part of the core that is the same for every game: session, people, holds, duties and jackpot."""
