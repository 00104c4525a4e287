-- The newest state we know of every row that is counted; tombstones stay.
create table counted (
  kind text not null,
  id text not null,
  version integer not null,
  present boolean not null,
  active boolean not null,
  primary key (kind, id)
);

create table totals (
  name text primary key,
  value bigint not null
);
insert into totals (name, value) values ('users', 0), ('proxies', 0), ('activeProxies', 0);
