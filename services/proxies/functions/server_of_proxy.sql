-- A proxy that is inserted without a server gets one of its own, with the tunnel that it says it has.
create or replace function server_of_proxy() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  insert into servers (uuid, user_id, name, generation, incarnation, last_incarnation, removed_at, applied_generation, applied,
      tunnel_health, tunnel_health_at)
    values (new.uuid, new.user_id, new.server_name, new.generation, new.incarnation, new.last_incarnation, new.removed_at,
      new.applied_generation,
      case when new.applied is not null then
        jsonb_build_object('tunnelId', new.applied -> 'tunnelId', 'incarnation', new.applied -> 'incarnation') end,
      new.tunnel_health, new.tunnel_health_at)
    returning id into new.server_id;
  new.server_uuid := new.uuid;
  return new;
end $$;

create or replace trigger server_of_proxy before insert on proxies
  for each row when (new.server_id is null) execute function server_of_proxy();
