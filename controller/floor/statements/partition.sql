do $$ begin
    perform pg_advisory_xact_lock(5401727004);
    if to_regclass('{name}') is null then
        create table {name} (like entry including all);
        alter table entry attach partition {name} for values from ('{first}') to ('{behind}');
    end if;
end $$
