create table told (
    table_id text not null,
    hit_epoch integer not null,
    hit_seq bigint not null,
    pool text not null,
    micro bigint not null,
    epoch integer not null,
    seq bigint not null,
    is_compared boolean not null default false,
    primary key (table_id, hit_epoch, hit_seq, pool, micro)
) with (fillfactor = 70);
create index told_waits on told (table_id) where not is_compared;

-- A status with a NUL cannot be read as JSON here, and would keep its table out; the table sends another one.
delete from shown where position(convert_to('\u0000', 'UTF8') in document) > 0;

-- As in r0005: the share of the reserve is worked out in numeric, which has no bound.
create or replace function settle_pool(wanted text) returns void language plpgsql as $$
declare
    it linked_pool;
    won hit;
    added bigint;
    part bigint;
begin
    select * into it from linked_pool where pool = wanted for update;
    if not exists (select from contribution where pool = wanted and number is null)
        and not exists (select from hit where pool = wanted and micro is null) then
        return;
    end if;
    it.number := greatest(it.number + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint);
    with folded as (
        update contribution set number = it.number where pool = wanted and number is null returning micro
    )
    select coalesce(sum(micro), 0) into added from folded;
    part := div(added::numeric * it.reserve_ppm, 1000000);
    it.contributed := it.contributed + added;
    it.reserve := it.reserve + part;
    it.amount := it.amount + added - part;
    part := greatest(it.amount - it.most, 0);
    it.overflow := it.overflow + coalesce(part, 0);
    it.amount := it.amount - coalesce(part, 0);
    for won in select * from hit where pool = wanted and micro is null order by place loop
        update hit set micro = it.amount, number = it.number, decided_at = clock_timestamp()
        where pool = wanted and place = won.place;
        it.paid := it.paid + it.amount;
        it.amount := least(it.overflow, it.reset);
        it.overflow := it.overflow - it.amount;
        part := least(it.reserve, it.reset - it.amount);
        it.reserve := it.reserve - part;
        it.amount := it.amount + part;
        it.seeded := it.seeded + it.reset - it.amount;
        it.amount := it.reset;
    end loop;
    update linked_pool set number = it.number, at = clock_timestamp(), amount = it.amount, reserve = it.reserve,
        overflow = it.overflow, seeded = it.seeded, contributed = it.contributed, paid = it.paid
    where pool = wanted;
end $$;
