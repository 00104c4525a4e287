-- Of a removed game port only the public port stays, reserved for some days: addresses of people and servers do not.
create or replace function game_port_removed() returns trigger language plpgsql as $$
begin
  new.target_host := '';
  new.rules := '{"kind": "rules", "rules": [], "otherwise": "deny"}';
  return new;
end $$;

create or replace trigger game_port_removed before update of removed_at on game_ports
  for each row when (old.removed_at is null and new.removed_at is not null)
  execute function game_port_removed();
