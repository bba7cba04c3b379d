create table shown (
    table_id text primary key,
    number bigint not null,
    at timestamptz not null default now(),
    document bytea not null
) with (fillfactor = 50);

create table held (
    table_id text not null,
    hold text not null,
    since_ms bigint not null,
    kind text not null,
    device text not null,
    words text not null,
    since timestamptz not null,
    ended timestamptz,
    primary key (table_id, hold, since_ms)
);
create index held_since on held (since);

create table counted (
    table_id text not null,
    hour timestamptz not null,
    kind text not null,
    refused boolean not null,
    times bigint not null,
    primary key (hour, table_id, kind, refused)
) with (fillfactor = 70);

create table pool (
    table_id text not null,
    hour timestamptz not null,
    cents bigint not null,
    primary key (table_id, hour)
);

create table ended_finding (
    table_id text not null,
    kind text not null,
    epoch integer not null,
    seq bigint not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    times bigint not null,
    ended_at timestamptz not null default now(),
    ended_by text not null,
    account text not null,
    evidence text not null,
    primary key (table_id, kind, epoch, seq, ended_at)
);
