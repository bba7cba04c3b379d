, marked_now as (
    insert into kept_recording (table_id, epoch, seq, incident_ms, person)
    select %(table)s, moved.epoch, row.seq, row.incident_ms, row.person
    from moved cross join unnest(
        %(mark_seqs)b::bigint[], %(mark_times)b::bigint[], %(mark_persons)b::integer[]
    ) as row (seq, incident_ms, person)
    on conflict do nothing
)
