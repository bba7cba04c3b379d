select table_id, device, serial, deck_set,
    coalesce(sum(cards) filter (where day > current_date - 7), 0)::bigint,
    coalesce(sum(faults) filter (where day > current_date - 7), 0)::bigint,
    coalesce(sum(retries) filter (where day > current_date - 7), 0)::bigint,
    coalesce(sum(cards) filter (where day <= current_date - 7), 0)::bigint,
    coalesce(sum(faults + retries) filter (where day <= current_date - 7), 0)::bigint
from wear
where day > current_date - 35
group by 1, 2, 3, 4
order by 1, 2, 3, 4
