-- The faults at the provider that notifications was ordered to know last.
create table reported_faults (
  is_only boolean primary key default true check (is_only),
  faults text[] not null default '{}',
  version bigint not null default 0
);
insert into reported_faults default values;
