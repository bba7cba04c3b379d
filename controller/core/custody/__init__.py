"""The places of the cards: opening, loading, shuffler, shoe, box, reader, counting, damage, deck check, closing."""
