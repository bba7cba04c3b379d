update line set heard_at = now()
where table_id = %(table)s and epoch = (select max(epoch) from line where table_id = %(table)s)
returning epoch
