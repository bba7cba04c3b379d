"""Where the cards are: opening, loading, shuffler, shoe, box, reader, counting, damage, deck check, closing."""
