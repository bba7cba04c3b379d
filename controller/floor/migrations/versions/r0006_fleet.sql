create index entry_starts on entry (table_id, epoch, seq) where kind = 'controller-started';

create table certificate (
    table_id text primary key,
    until timestamptz not null,
    at timestamptz not null default now()
) with (fillfactor = 70);
