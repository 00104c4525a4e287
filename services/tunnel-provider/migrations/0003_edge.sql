-- Which of its connector's connections this is; when its edge was last heard of. A row that an edge no longer
-- confirms belongs to a process that has died.
alter table connections add column conn_index smallint;
alter table connections add column seen_at timestamptz not null default now();

-- Tells every edge what has changed, as the change is committed.
create function edge_connection_gone() returns trigger language plpgsql as $$
begin
  perform pg_notify('edge', 'gone ' || old.id);
  return null;
end $$;
create trigger edge_connection_gone after delete on connections
  for each row when (old.edge_id is not null) execute function edge_connection_gone();

create function edge_configuration_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('edge', 'config ' || coalesce(new.tunnel_id, old.tunnel_id));
  return null;
end $$;
create trigger edge_configuration_changed after insert or update or delete on configurations
  for each row execute function edge_configuration_changed();

create function edge_record_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform pg_notify('edge', 'host ' || old.name); end if;
  if tg_op <> 'DELETE' then perform pg_notify('edge', 'host ' || new.name); end if;
  return null;
end $$;
create trigger edge_record_changed after insert or update or delete on dns_records
  for each row execute function edge_record_changed();
