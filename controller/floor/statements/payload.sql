select payload from entry where table_id = %(table)s and seq = %(seq)s order by epoch desc limit 1
