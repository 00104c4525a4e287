-- What the statistics were told: a row with a higher version is told them again, as a whole.
alter table traffic add column told_version bigint not null default 0;
create index traffic_untold on traffic (tunnel_id, quarter) where told_version < version;
alter table origins
  add column version bigint not null default 1,
  add column told_version bigint not null default 0;
create index origins_untold on origins (tunnel_id) where told_version < version;

-- Tells that a tunnel's connections have changed, as the change is committed.
create function connections_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('connections', coalesce(new.tunnel_id, old.tunnel_id)::text);
  return null;
end $$;
create trigger connections_changed after insert or delete on connections
  for each row execute function connections_changed();
