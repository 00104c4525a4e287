-- Has every edge look at the public port anew as the change is committed.
create or replace function game_port_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform pg_notify('edge', 'port ' || old.public_port); end if;
  if tg_op <> 'DELETE' then perform pg_notify('edge', 'port ' || new.public_port); end if;
  return null;
end $$;

create or replace trigger game_port_added after insert on game_ports
  for each row execute function game_port_changed();

create or replace trigger game_port_changed after update or delete on game_ports
  for each row when (old.removed_at is null) execute function game_port_changed();
