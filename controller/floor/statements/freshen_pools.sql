-- A table believes that the floor is there for as long as it hears of the pool: so its number grows now and then, also
-- where the clock was put back, or that of the replica that took over is behind.
update linked_pool
set number = greatest(number + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint), at = clock_timestamp()
where at not between clock_timestamp() - interval '5 seconds' and clock_timestamp()
returning pool
