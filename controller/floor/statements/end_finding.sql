with ended as (
    delete from finding where table_id = %(table)s and kind = %(kind)s and epoch = %(epoch)s and seq = %(seq)s
    returning table_id, kind, epoch, seq, first_at, last_at, times
)
insert into ended_finding (table_id, kind, epoch, seq, first_at, last_at, times, ended_by, account, evidence)
select ended.table_id, ended.kind, ended.epoch, ended.seq, ended.first_at, ended.last_at, ended.times,
    %(by)s, %(account)s, %(evidence)s
from ended
returning kind
