select pool, currency, amount, reserve, overflow, seeded, contributed, paid, hits from linked_pool order by pool
