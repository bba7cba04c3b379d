create table wear (
    table_id text not null,
    day date not null,
    device text not null,
    serial text not null,
    deck_set bigint not null,
    cards bigint not null,
    faults bigint not null,
    retries bigint not null,
    primary key (table_id, day, device, serial, deck_set)
) with (fillfactor = 70);
