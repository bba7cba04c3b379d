alter table held
    add column days integer not null default 30,
    add column began_synced boolean,
    add column ended_synced boolean;

create table kept_recording (
    table_id text not null,
    epoch integer not null,
    seq bigint not null,
    incident_ms bigint not null,
    person integer not null,
    at timestamptz not null default now(),
    primary key (table_id, epoch, seq)
);
create index kept_recording_of on kept_recording (table_id, incident_ms);
