, told_now as (
    insert into told (table_id, hit_epoch, hit_seq, pool, micro, epoch, seq)
    select %(table)s, row.hit_epoch, row.hit_seq, row.pool, row.micro, moved.epoch, row.seq
    from moved cross join unnest(
        %(told_seqs)b::bigint[], %(told_pools)b::text[], %(told_epochs)b::integer[], %(told_hits)b::bigint[],
        %(told_micros)b::bigint[]
    ) as row (seq, pool, hit_epoch, hit_seq, micro)
    on conflict do nothing
)
