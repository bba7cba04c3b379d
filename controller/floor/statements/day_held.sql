select table_id, since, ended, kind, device, words from held
where since < %(end)s and coalesce(ended, now()) >= %(begin)s
order by since, table_id
