-- Tokens go with what let their creator make them: their membership as one who manages. What an administrator has made does not go with a
-- membership of theirs.
create or replace function token_creator_left() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from service_tokens using proxies
    where proxies.id = old.proxy_id and service_tokens.proxy_uuid = proxies.uuid and service_tokens.created_by = old.user_id
      and not as_admin;
  return null;
end $$;

create or replace trigger token_creator_left after delete or update of member_until, role, user_id on members
  for each row execute function token_creator_left();
