with moved as (
    insert into line (table_id, epoch, first_seq, parent_epoch, last_seq, head, statement, signature)
    values (%(table)s, %(epoch)s, %(first)s, %(parent)s, %(last)s, %(head)s, %(statement)s, %(signature)s)
    on conflict do nothing
    returning epoch
)
insert into entry (month, table_id, epoch, seq, kind, wall_ms, chain, payload)
select row.month, %(table)s, moved.epoch, row.seq, row.kind, row.wall_ms, row.chain, row.payload
from moved, unnest(
    %(months)b::date[], %(seqs)b::bigint[], %(kinds)b::text[], %(walls)b::bigint[], %(chains)b::bytea[],
    %(payloads)b::bytea[]
) as row (month, seq, kind, wall_ms, chain, payload)
returning seq
