-- What the statistics were told: a row with a higher version is told them again, as a whole.
alter table traffic add column told_version bigint not null default 0;
create index traffic_untold on traffic (tunnel_id, quarter) where told_version < version;
alter table origins
  add column version bigint not null default 1,
  add column told_version bigint not null default 0;
create index origins_untold on origins (tunnel_id) where told_version < version;
