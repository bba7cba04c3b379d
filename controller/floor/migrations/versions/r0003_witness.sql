create table witnessed (
    witness text not null,
    log text not null,
    table_id text not null,
    epoch integer not null,
    size bigint not null,
    hashes bytea not null,
    note bytea not null,
    at timestamptz not null default now(),
    primary key (witness, log)
) with (fillfactor = 50);
