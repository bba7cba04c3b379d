select table_id, kind, epoch, seq, first_at, last_at, times, null::timestamptz, null, null, null
from finding
union all
select table_id, kind, epoch, seq, first_at, last_at, times, ended_at, ended_by, account, evidence
from ended_finding
order by 1, 5, 2, 3, 4
