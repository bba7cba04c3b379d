, kept as (
    insert into entry (month, table_id, epoch, seq, kind, wall_ms, chain, payload)
    select row.month, %(table)s, moved.epoch, row.seq, row.kind, row.wall_ms, row.chain, row.payload
    from moved, unnest(
        %(months)b::date[], %(seqs)b::bigint[], %(kinds)b::text[], %(walls)b::bigint[], %(chains)b::bytea[],
        %(payloads)b::bytea[]
    ) as row (month, seq, kind, wall_ms, chain, payload)
    returning 1
), counted_now as (
    insert into counted (table_id, hour, kind, refused, times)
    select %(table)s, row.hour, row.kind, row.refused, row.times
    from moved, unnest(
        %(hours)b::timestamptz[], %(counted_kinds)b::text[], %(refused)b::boolean[], %(times)b::bigint[]
    ) as row (hour, kind, refused, times)
    on conflict (hour, table_id, kind, refused) do update set times = counted.times + excluded.times
    returning 1
), worn as (
    insert into wear (table_id, day, device, serial, deck_set, cards, faults, retries)
    select %(table)s, current_date, row.device, coalesce(fitted.it #>> array['devices', row.device, 'serial_number'], ''),
        coalesce((fitted.it #>> '{figures,deck_set}')::bigint, 0), row.cards, row.faults, row.retries
    from moved cross join unnest(
        %(worn)b::text[], %(worn_cards)b::bigint[], %(worn_faults)b::bigint[], %(worn_retries)b::bigint[]
    ) as row (device, cards, faults, retries)
    left join lateral (
        select convert_from(document, 'UTF8')::jsonb as it from shown where table_id = %(table)s
    ) as fitted on true
    on conflict (table_id, day, device, serial, deck_set) do update
        set cards = wear.cards + excluded.cards, faults = wear.faults + excluded.faults,
            retries = wear.retries + excluded.retries
    returning 1
)
