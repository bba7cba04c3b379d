select newest.table_id, newest.epoch, start.seq, start.payload, certificate.until
from (select table_id, max(epoch) as epoch from line group by table_id) as newest
left join lateral (
    select seq, payload from entry
    where entry.table_id = newest.table_id and entry.epoch = newest.epoch and kind = 'controller-started'
    order by seq desc limit 1
) as start on true
left join certificate on certificate.table_id = newest.table_id
order by newest.table_id
