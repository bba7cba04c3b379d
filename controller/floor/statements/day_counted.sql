select table_id, hour, kind, refused, sum(times)::bigint from counted
where hour >= %(begin)s and hour < %(end)s
group by 1, 2, 3, 4
order by 1, 2, 3, 4
