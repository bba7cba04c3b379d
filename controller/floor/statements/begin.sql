with moved as (
    insert into line (table_id, epoch, first_seq, parent_epoch, last_seq, head, statement, signature)
    values (%(table)s, %(epoch)s, %(first)s, %(parent)s, %(last)s, %(head)s, %(statement)s, %(signature)s)
    on conflict do nothing
    returning epoch
)
