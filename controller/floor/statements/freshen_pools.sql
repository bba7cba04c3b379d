-- A table believes that the floor is there for as long as it hears of the pool: so its number grows now and then.
update linked_pool
set number = greatest(number + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint), at = clock_timestamp()
where at < clock_timestamp() - interval '5 seconds'
returning pool
