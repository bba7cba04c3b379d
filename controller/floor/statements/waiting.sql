select pool from linked_pool
where exists (select from contribution where contribution.pool = linked_pool.pool and number is null)
    or exists (select from hit where hit.pool = linked_pool.pool and micro is null)
order by 1
