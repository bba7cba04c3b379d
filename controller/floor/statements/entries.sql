, kept as (
    insert into entry (month, table_id, epoch, seq, kind, wall_ms, chain, payload)
    select row.month, %(table)s, moved.epoch, row.seq, row.kind, row.wall_ms, row.chain, row.payload
    from moved, unnest(
        %(months)b::date[], %(seqs)b::bigint[], %(kinds)b::text[], %(walls)b::bigint[], %(chains)b::bytea[],
        %(payloads)b::bytea[]
    ) as row (month, seq, kind, wall_ms, chain, payload)
), counted_now as (
    insert into counted (table_id, hour, kind, refused, times)
    select %(table)s, row.hour, row.kind, row.refused, row.times
    from moved, unnest(
        %(hours)b::timestamptz[], %(counted_kinds)b::text[], %(refused)b::boolean[], %(times)b::bigint[]
    ) as row (hour, kind, refused, times)
    on conflict (hour, table_id, kind, refused) do update set times = counted.times + excluded.times
)
