select table_id, hour, cents from pool where hour >= %(begin)s and hour < %(end)s order by table_id, hour
