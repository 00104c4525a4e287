-- The game ports of a changed proxy: they lead to its server, end with it, and to its tunnel only while it is not suspended.
create or replace function game_ports_follow() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  update game_ports set target_host = new.server_ip, removed_at = new.removed_at
    where proxy_id = new.id and removed_at is null;
  return null;
end $$;

create or replace trigger game_ports_follow after update on proxies
  for each row when (
    old.server_ip <> new.server_ip
    or old.removed_at is distinct from new.removed_at
    or old.suspended_at is distinct from new.suspended_at
    or old.owner_suspended_at is distinct from new.owner_suspended_at
    or old.applied is distinct from new.applied
  )
  execute function game_ports_follow();
