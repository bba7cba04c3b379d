select moved.epoch, found.kind, found.epoch, found.seq
from moved left join lateral (
    select kind, epoch, seq from finding where table_id = %(table)s
    order by last_at desc, kind, epoch, seq limit %(most)s
) as found on true
