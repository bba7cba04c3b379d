select distinct on (line.table_id) line.table_id, line.epoch, line.last_seq, line.heard_at,
    extract(epoch from now() - line.heard_at)::bigint,
    (select array_agg(distinct finding.kind) from finding where finding.table_id = line.table_id),
    coalesce(shown.number, 0), extract(epoch from now() - shown.at)::bigint,
    case when shown.number is distinct from known.number then shown.document end
from line
left join shown on shown.table_id = line.table_id
left join unnest(%(names)b::text[], %(numbers)b::bigint[]) as known (table_id, number)
    on known.table_id = line.table_id
order by line.table_id, line.epoch desc
