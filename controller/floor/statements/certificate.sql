insert into certificate (table_id, until) values (%(table)s, %(until)s)
on conflict (table_id) do update set until = excluded.until, at = now()
