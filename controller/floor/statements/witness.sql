insert into witnessed (witness, log, table_id, epoch, size, hashes, note)
values (%(witness)s, %(log)s, %(table)s, %(epoch)s, %(size)s, %(hashes)s, %(note)s)
on conflict (witness, log) do update
    set size = excluded.size, hashes = excluded.hashes, note = excluded.note, at = now()
    where witnessed.note = %(before)s
returning size
