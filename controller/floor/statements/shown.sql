, shown_now as (
    insert into shown (table_id, number, document)
    select %(table)s, 1, %(shown)s from moved
    on conflict (table_id) do update
        set number = shown.number + 1, at = now(), document = excluded.document
), held_now as (
    insert into held (table_id, hold, since_ms, kind, device, words, since, days, began_synced)
    select %(table)s, row.hold, row.since_ms, row.kind, row.device, row.words,
        now() - make_interval(secs => (%(table_ms)s - row.since_ms) / 1000.0), %(days)s, %(synced)s::boolean
    from moved, unnest(
        %(holds)b::text[], %(since)b::bigint[], %(hold_kinds)b::text[], %(hold_devices)b::text[], %(hold_words)b::text[]
    ) as row (hold, since_ms, kind, device, words)
    on conflict (table_id, hold, since_ms) do nothing
), ended_now as (
    update held set ended = now(), ended_synced = %(synced)s::boolean from moved
    where held.table_id = %(table)s and held.ended is null and held.ended_seq is null and not exists (
        select from unnest(%(holds)b::text[], %(since)b::bigint[]) as row (hold, since_ms)
        where row.hold = held.hold and row.since_ms = held.since_ms
    )
), pool_now as (
    insert into pool (table_id, hour, cents)
    select %(table)s, date_trunc('hour', now()), %(pool)s from moved where %(pool)s::bigint is not null
    on conflict (table_id, hour) do update set cents = excluded.cents
)
