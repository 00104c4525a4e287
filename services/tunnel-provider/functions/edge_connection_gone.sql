-- Notifies every edge of a connection that was cut, as the change is committed.
create or replace function edge_connection_gone() returns trigger language plpgsql as $$
begin
  perform pg_notify('edge', 'gone ' || old.id);
  return null;
end $$;

create or replace trigger edge_connection_gone after delete on connections
  for each row when (old.edge_id is not null) execute function edge_connection_gone();
