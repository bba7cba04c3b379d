, said as (
    select row.seq, row.pool, row.micro, row.wall_ms, linked_pool.pool is not null as is_known
    from moved cross join unnest(
        %(linked_seqs)b::bigint[], %(linked_pools)b::text[], %(linked_currencies)b::text[], %(linked_micros)b::bigint[],
        %(linked_walls)b::bigint[]
    ) as row (seq, pool, currency, micro, wall_ms)
    left join linked_pool on linked_pool.pool = row.pool and linked_pool.currency = row.currency
), added_now as (
    insert into contribution (table_id, epoch, seq, pool, micro)
    select %(table)s, moved.epoch, said.seq, said.pool, said.micro
    from moved cross join said where said.is_known and said.micro is not null
    on conflict do nothing
    returning 1
), uncounted_now as (
    insert into finding (table_id, kind, epoch, seq)
    select distinct %(table)s, 'uncounted', moved.epoch, said.seq from moved cross join said where not said.is_known
    on conflict (table_id, kind, epoch, seq) do update set last_at = now(), times = finding.times + 1
    returning 1
), hit_here as (
    select said.*, row_number() over (partition by said.pool order by said.seq) as nth,
        count(*) over (partition by said.pool) as times
    from said where said.is_known and said.micro is null and not exists (
        select from hit, moved
        where hit.table_id = %(table)s and hit.epoch = moved.epoch and hit.seq = said.seq and hit.pool = said.pool
    )
), others_done as materialized (  -- every other table's hit waits for the pool's row: this statement locks it last
    select (select count(*) from kept) + (select count(*) from counted_now) + (select count(*) from worn)
        + (select count(*) from added_now) + (select count(*) from uncounted_now) >= 0 as is_so
), placed as (
    update linked_pool set hits = hits + of_pool.times
    from (select distinct pool, times from hit_here) as of_pool cross join others_done
    where linked_pool.pool = of_pool.pool and others_done.is_so
    returning linked_pool.pool, hits
), hit_now as (
    insert into hit (table_id, epoch, seq, pool, place, wall_ms)
    select %(table)s, moved.epoch, hit_here.seq, hit_here.pool, placed.hits - hit_here.times + hit_here.nth,
        hit_here.wall_ms
    from moved cross join hit_here join placed on placed.pool = hit_here.pool
)
