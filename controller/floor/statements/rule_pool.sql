with ruled as (
    insert into linked_pool (pool, currency, reset, rate_ppm, reserve_ppm, most, number, amount, seeded)
    values (
        %(pool)s, %(currency)s, %(reset)s, %(rate_ppm)s, %(reserve_ppm)s, %(most)s,
        (extract(epoch from clock_timestamp()) * 1000)::bigint, %(seed)s, %(seed)s
    )
    on conflict (pool) do update
        set reset = excluded.reset, rate_ppm = excluded.rate_ppm, reserve_ppm = excluded.reserve_ppm,
            most = excluded.most, number = greatest(linked_pool.number + 1, excluded.number), at = clock_timestamp()
        where linked_pool.currency = excluded.currency
    returning number
)
insert into linked_rules (pool, number, seed, reset, rate_ppm, reserve_ppm, most, ruled_by, account, evidence)
select %(pool)s, ruled.number, %(seed)s, %(reset)s, %(rate_ppm)s, %(reserve_ppm)s, %(most)s, %(by)s, %(account)s,
    %(evidence)s
from ruled
returning number
