create table floor (
    only_one boolean primary key default true check (only_one),
    secret bytea not null
        default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')
);
insert into floor default values;

create table line (
    table_id text not null,
    epoch integer not null,
    first_seq bigint not null,
    parent_epoch integer,
    last_seq bigint not null,
    head bytea not null,
    statement bytea not null,
    signature text not null,
    heard_at timestamptz not null default now(),
    primary key (table_id, epoch)
) with (fillfactor = 50);

create table entry (
    month date not null,
    table_id text not null,
    epoch integer not null,
    seq bigint not null,
    kind text not null,
    wall_ms bigint not null,
    chain bytea not null,
    payload bytea not null,
    primary key (table_id, epoch, seq, month)
) partition by range (month);

create table finding (
    table_id text not null,
    kind text not null,
    epoch integer not null,
    seq bigint not null,
    first_at timestamptz not null default now(),
    last_at timestamptz not null default now(),
    times bigint not null default 1,
    primary key (table_id, kind, epoch, seq)
);
