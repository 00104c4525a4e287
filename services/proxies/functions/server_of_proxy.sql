-- A proxy that is inserted without a server gets one of its own.
create or replace function server_of_proxy() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  insert into servers (uuid, user_id, name) values (new.uuid, new.user_id, new.server_name) returning id into new.server_id;
  new.server_uuid := new.uuid;
  return new;
end $$;

create or replace trigger server_of_proxy before insert on proxies
  for each row when (new.server_id is null) execute function server_of_proxy();
