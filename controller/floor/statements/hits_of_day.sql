select pool, place, decided_at, table_id, epoch, seq, micro from hit
where decided_at >= %(begin)s and decided_at < %(end)s order by pool, place
