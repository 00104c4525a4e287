-- Notifies every edge of a changed configuration, as the change is committed.
create or replace function edge_configuration_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('edge', 'config ' || coalesce(new.tunnel_id, old.tunnel_id));
  return null;
end $$;

create or replace trigger edge_configuration_changed after insert or update or delete on configurations
  for each row execute function edge_configuration_changed();
