with moved as (
    update line set heard_at = now(), statement = %(statement)s, signature = %(signature)s
    where table_id = %(table)s and last_seq = %(last)s and head = %(head)s
        and epoch = (select max(epoch) from line where table_id = %(table)s) and epoch <= %(epoch)s
    returning epoch
)
