select held.table_id, held.since, held.ended, held.kind, held.device, held.words, held.days, held.began_synced,
    held.ended_synced, kept.seq, kept.person
from held left join lateral (
    select seq, person from kept_recording
    where table_id = held.table_id and incident_ms = held.since_ms
        and case when held.ended_seq is null then at >= held.ended else seq > nullif(held.ended_seq, 0) end
    order by epoch desc, seq desc limit 1
) as kept on true
where held.since < %(end)s and coalesce(held.ended, now()) >= %(begin)s
order by held.since, held.table_id
