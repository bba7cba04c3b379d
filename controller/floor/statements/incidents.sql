, incidents_now as (
    insert into held (
        table_id, hold, since_ms, kind, device, words, since, ended, days, began_synced, ended_synced, ended_seq
    )
    select %(table)s, row.name, row.since_ms, row.kind, '', '',
        case when row.since >= 0 then to_timestamp(row.since / 1000.0) else now() end,
        case when row.ends = 0 then null when row.ended >= 0 then to_timestamp(row.ended / 1000.0) else now() end,
        coalesce(%(table_days)s::integer, (
            select (convert_from(document, 'UTF8')::jsonb ->> 'recording_days')::integer from shown
            where table_id = %(table)s
        ), 30),
        row.synced, row.ended_synced, row.ends
    from moved, unnest(
        %(told_names)b::text[], %(told_kinds)b::text[], %(told_times)b::bigint[], %(told_since)b::bigint[],
        %(told_synced)b::boolean[], %(told_ended)b::bigint[], %(told_ended_synced)b::boolean[], %(told_ends)b::bigint[]
    ) as row (name, kind, since_ms, since, synced, ended, ended_synced, ends)
    on conflict (table_id, hold, since_ms) do nothing
), incidents_ended as (
    update held set ended_seq = row.seq, ended_synced = row.synced,
        ended = case when row.at >= 0 then to_timestamp(row.at / 1000.0) else now() end
    from moved, unnest(
        %(ended_kinds)b::text[], %(ended_at)b::bigint[], %(ended_synced)b::boolean[], %(ended_seqs)b::bigint[]
    ) as row (kind, at, synced, seq)
    where held.table_id = %(table)s and held.kind = row.kind and held.ended_seq = 0
), incidents_withdrawn as (
    delete from held using moved, unnest(%(withdrawn_kinds)b::text[]) as row (kind)
    where (held.table_id, held.hold, held.since_ms) = (
        select table_id, hold, since_ms from held as last
        where last.table_id = %(table)s and last.kind = row.kind and last.ended_seq is not null
        order by last.since desc, last.ended_seq desc limit 1
    )
)
