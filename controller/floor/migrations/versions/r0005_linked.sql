create table linked_pool (
    pool text primary key,
    currency text not null,
    reset bigint not null,
    rate_ppm integer not null,
    reserve_ppm integer not null,
    most bigint,
    number bigint not null,
    at timestamptz not null default now(),
    amount bigint not null,
    reserve bigint not null default 0,
    overflow bigint not null default 0,
    seeded bigint not null,
    contributed bigint not null default 0,
    paid bigint not null default 0,
    hits bigint not null default 0
) with (fillfactor = 10);

create table linked_rules (
    pool text not null,
    number bigint not null,
    seed bigint not null,
    reset bigint not null,
    rate_ppm integer not null,
    reserve_ppm integer not null,
    most bigint,
    ruled_at timestamptz not null default now(),
    ruled_by text not null,
    account text not null,
    evidence text not null,
    primary key (pool, number)
);

create table contribution (
    table_id text not null,
    epoch integer not null,
    seq bigint not null,
    pool text not null,
    micro bigint not null,
    number bigint,
    primary key (table_id, epoch, seq, pool)
) with (fillfactor = 70);
create index contribution_waits on contribution (pool) where number is null;

create table hit (
    table_id text not null,
    epoch integer not null,
    seq bigint not null,
    pool text not null,
    place bigint not null,
    wall_ms bigint not null,
    heard_at timestamptz not null default now(),
    micro bigint,
    number bigint,
    decided_at timestamptz,
    primary key (table_id, epoch, seq, pool),
    unique (pool, place)
);
create index hit_waits on hit (pool) where micro is null;

-- Everything that waits at a pool, in one order and one transaction: contributions first, then hits by their place.
-- The lock is taken first and the rest reads behind it; the function is one statement of whoever calls it, so the lock
-- is held over no round trip. Where nothing waits nothing is written, and the number stays.
create function settle_pool(wanted text) returns void language plpgsql as $$
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
    part := added * it.reserve_ppm / 1000000;
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
