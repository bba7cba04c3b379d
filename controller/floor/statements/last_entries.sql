select seq, kind, wall_ms from entry
where table_id = %(table)s and epoch = %(epoch)s and seq > %(last)s - %(most)s
order by seq desc
