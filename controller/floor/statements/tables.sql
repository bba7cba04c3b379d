select distinct on (line.table_id) line.table_id, line.epoch, line.last_seq, line.heard_at,
    extract(epoch from now() - line.heard_at)::bigint, entry.kind,
    (select array_agg(distinct finding.kind) from finding where finding.table_id = line.table_id),
    shown.document, extract(epoch from now() - shown.at)::bigint
from line left join entry
    on entry.table_id = line.table_id and entry.epoch = line.epoch and entry.seq = line.last_seq
left join shown on shown.table_id = line.table_id
order by line.table_id, line.epoch desc
