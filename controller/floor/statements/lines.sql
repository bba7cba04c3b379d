select epoch, first_seq, parent_epoch, last_seq, head from line where table_id = %(table)s order by epoch desc
