with due as (
    select told.table_id, hit_epoch, hit_seq, told.pool, told.micro, hit.micro as decided
    from told left join hit on hit.table_id = told.table_id and hit.epoch = hit_epoch and hit.seq = hit_seq
        and hit.pool = told.pool
    where not is_compared and (hit.pool is null or hit.micro is not null)
), compared as (
    update told set is_compared = true from due
    where told.table_id = due.table_id and told.hit_epoch = due.hit_epoch and told.hit_seq = due.hit_seq
        and told.pool = due.pool and told.micro = due.micro
)
insert into finding (table_id, kind, epoch, seq)
select distinct table_id, 'other-amount', hit_epoch, hit_seq from due where micro is distinct from decided
on conflict (table_id, kind, epoch, seq) do update set last_at = now(), times = finding.times + 1
