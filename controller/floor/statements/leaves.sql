select seq, payload from entry
where table_id = %(table)s and epoch = %(epoch)s and seq between %(first)s and %(last)s
order by seq
