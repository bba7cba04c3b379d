select linked_pool.pool, currency, linked_pool.number, (extract(epoch from at) * 1000)::bigint, amount, reserve, overflow,
    rate_ppm, coalesce(newest.hits, '[]'::json)
from linked_pool left join lateral (
    select json_agg(json_build_object(
        'place', place, 'table', table_id, 'epoch', epoch, 'seq', seq, 'micro', micro, 'wall_ms', wall_ms
    ) order by place) as hits
    from (
        select * from hit where hit.pool = linked_pool.pool and micro is not null order by place desc limit %(most)s
    ) as decided
) as newest on true
order by 1
