select chain from entry where table_id = %(table)s and epoch = %(epoch)s and seq = %(seq)s
