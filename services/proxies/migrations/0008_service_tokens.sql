-- What lets programs pass the wall of a proxy.
create table service_tokens (
  id integer generated always as identity primary key,
  proxy_uuid uuid not null references proxies (uuid) on delete cascade,
  name text not null,
  -- SHA-256 of what the program sends.
  token_hash bytea not null unique,
  -- The member who has made it; null: the owner, or an administrator.
  created_by bigint,
  created_at timestamptz not null default now(),
  -- Null: never.
  expires_at timestamptz
);
create index service_tokens_by_proxy on service_tokens (proxy_uuid);
create index service_tokens_by_creator on service_tokens (created_by) where created_by is not null;

-- Until when a token lets its program in, in ms since 1970 (9e15: without end); null: it does not. A wrong one counts as a try of
-- its visitor, under a name of its own: a program with an old token locks nobody out of the PIN. Without a visitor nothing counts.
create function find_service_token(proxy uuid, token bytea, who text, per_visitor integer) returns double precision
language plpgsql security definer set search_path = proxies, pg_temp as $$
declare
  ends double precision;
begin
  perform 1 from access_tries where proxy_uuid = proxy and visitor = 'token ' || who and tries >= per_visitor
    and since >= now() - interval '15 minutes';
  if found then return null; end if;
  select coalesce(extract(epoch from expires_at) * 1000, 9e15) into ends from service_tokens
    where token_hash = token and proxy_uuid = proxy and (expires_at is null or expires_at > now());
  if ends is null and who is not null then
    insert into access_tries (proxy_uuid, visitor)
      select proxy_uuid, 'token ' || who from access_policies where proxy_uuid = proxy
      on conflict (proxy_uuid, visitor) do update set
        tries = case when access_tries.since < now() - interval '15 minutes' then 1 else access_tries.tries + 1 end,
        since = case when access_tries.since < now() - interval '15 minutes' then now() else access_tries.since end;
  end if;
  return ends;
end $$;
revoke all on function find_service_token(uuid, bytea, text, integer) from public;
grant execute on function find_service_token(uuid, bytea, text, integer) to edge_app;

-- Edges look at what programs have open when a token is revoked.
create trigger service_token_revoked after delete on service_tokens
  for each row execute function access_policy_changed();

-- Tokens go with what let their creator make them: their membership as one who manages, and their account.
create function token_creator_left() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from service_tokens using proxies
    where proxies.id = old.proxy_id and service_tokens.proxy_uuid = proxies.uuid and service_tokens.created_by = old.user_id;
  return null;
end $$;
create trigger token_creator_left after delete or update of member_until, role, user_id on members
  for each row execute function token_creator_left();
create function token_creator_barred() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from service_tokens where created_by = new.user_id;
  return null;
end $$;
create trigger token_creator_barred after update on quotas
  for each row when (new.closed and not old.closed or new.suspended_at is not null and old.suspended_at is null)
  execute function token_creator_barred();
