with moved as (
    update line set last_seq = %(last)s, head = %(head)s, statement = %(statement)s, signature = %(signature)s,
        heard_at = now()
    where table_id = %(table)s and epoch = %(epoch)s and last_seq = %(known_seq)s and head = %(known_head)s
    returning epoch
)
insert into entry (month, table_id, epoch, seq, kind, wall_ms, chain, payload)
select row.month, %(table)s, moved.epoch, row.seq, row.kind, row.wall_ms, row.chain, row.payload
from moved, unnest(
    %(months)b::date[], %(seqs)b::bigint[], %(kinds)b::text[], %(walls)b::bigint[], %(chains)b::bytea[],
    %(payloads)b::bytea[]
) as row (month, seq, kind, wall_ms, chain, payload)
returning seq
