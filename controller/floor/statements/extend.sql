with moved as (
    update line set last_seq = %(last)s, head = %(head)s, statement = %(statement)s, signature = %(signature)s,
        heard_at = now()
    where table_id = %(table)s and epoch = %(epoch)s and last_seq = %(known_seq)s and head = %(known_head)s
        and not exists (select from line as other where other.table_id = %(table)s and other.epoch > %(epoch)s)
    returning epoch
)
