alter table service_tokens
  -- Its creator could make it because they are an administrator.
  add column as_admin boolean not null default false;
comment on column service_tokens.created_by is 'The member or administrator who has made it; null: the owner.';

-- As before, but what an administrator has made does not go with a membership of theirs.
create or replace function token_creator_left() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from service_tokens using proxies
    where proxies.id = old.proxy_id and service_tokens.proxy_uuid = proxies.uuid and service_tokens.created_by = old.user_id
      and not as_admin;
  return null;
end $$;
