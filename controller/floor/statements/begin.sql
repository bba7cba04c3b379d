with moved as (
    insert into line (table_id, epoch, first_seq, parent_epoch, last_seq, head, statement, signature)
    values (%(table)s, %(epoch)s, %(first)s, %(parent)s, %(last)s, %(head)s, %(statement)s, %(signature)s)
    on conflict do nothing
    returning epoch
), lost as (  -- a closing that the table has begun after the entries from which it was restored
    update held set ended = now(), ended_seq = %(first)s, ended_synced = null from moved
    where held.table_id = %(table)s
        and case when held.ended_seq = 0 then split_part(held.hold, '.', 2)::bigint end >= %(first)s
)
