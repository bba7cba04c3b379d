insert into finding (table_id, kind, epoch, seq) values (%(table)s, %(kind)s, %(epoch)s, %(seq)s)
on conflict (table_id, kind, epoch, seq) do update set last_at = now(), times = finding.times + 1
