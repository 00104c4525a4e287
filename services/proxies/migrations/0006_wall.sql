-- The wall before a proxy: what lets visitors pass, and who has passed.
alter table access_policies
  -- Raised by each change: who has passed an earlier wall has to pass the new one.
  add column version integer not null default 1,
  -- argon2id.
  add column pin_hash text,
  add column password_hash text;

create table access_sessions (
  id uuid primary key default gen_random_uuid(),
  proxy_uuid uuid not null references access_policies on delete cascade,
  -- SHA-256 of the secret in the visitor's cookie.
  token_hash bytea not null unique,
  policy_version integer not null,
  -- How they have passed: pin, password, member, or owner.
  methods text[] not null,
  -- Who signed in at Talpa, with which session; null: nobody did.
  user_id bigint,
  auth_session uuid,
  -- They passed because they are an administrator.
  as_admin boolean not null default false,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index access_sessions_by_proxy on access_sessions (proxy_uuid);
create index access_sessions_by_user on access_sessions (user_id) where user_id is not null;
create index access_sessions_by_expiry on access_sessions (expires_at);

-- What carries a sign-in from the panel to the wall, once, within 30 seconds.
create table access_codes (
  code_hash bytea primary key,
  proxy_uuid uuid not null references access_policies on delete cascade,
  host text not null,
  -- SHA-256 of what the wall has given the browser.
  state_hash bytea not null,
  user_id bigint not null,
  auth_session uuid,
  method text not null check (method in ('owner', 'member')),
  as_admin boolean not null,
  -- When the membership ends.
  member_until timestamptz,
  expires_at timestamptz not null default now() + interval '30 seconds'
);
create index access_codes_by_user on access_codes (user_id);

-- Tries with a PIN or a password: of a visitor, and of all visitors of a proxy (visitor '').
create table access_tries (
  proxy_uuid uuid not null references access_policies on delete cascade,
  visitor text not null,
  since timestamptz not null default now(),
  tries integer not null default 1,
  primary key (proxy_uuid, visitor)
);

-- Counts a try. Returns how many seconds the visitor has to wait; 0: they may try. What was not allowed counts nothing.
create function count_access_try(proxy uuid, who text, per_visitor integer, per_proxy integer) returns integer
language plpgsql security definer set search_path = proxies, pg_temp as $$
declare
  spent record;
begin
  perform 1 from access_policies where proxy_uuid = proxy for update;
  if not found then return 60; end if;
  delete from access_tries where proxy_uuid = proxy
    and since < now() - case when visitor = '' then interval '1 hour' else interval '15 minutes' end;
  select ceil(max(extract(epoch from since + case when visitor = '' then interval '1 hour' else interval '15 minutes' end - now())))::integer
      as wait into spent
    from access_tries
    where proxy_uuid = proxy and ((visitor = who and tries >= per_visitor) or (visitor = '' and tries >= per_proxy));
  if spent.wait is not null then return greatest(1, spent.wait); end if;
  insert into access_tries (proxy_uuid, visitor) values (proxy, who), (proxy, '')
    on conflict (proxy_uuid, visitor) do update set tries = access_tries.tries + 1;
  return 0;
end $$;

-- A try was right: it takes nothing of the budget of guesses.
create function return_access_try(proxy uuid, who text) returns void
language sql security definer set search_path = proxies, pg_temp as $$
  update access_tries set tries = greatest(0, tries - 1) where proxy_uuid = proxy and visitor in (who, '');
$$;

-- Lets a visitor in who has passed by one more method. Returns when their visit ends; null: the policy is another one now.
create function begin_access(
  proxy uuid, version_then integer, passed text, token bytea, previous bytea, from_address text, agent text,
  who bigint, with_session uuid, admin boolean, until timestamptz
) returns timestamptz language plpgsql set search_path = proxies, pg_temp as $$
declare
  policy record;
  before record;
  ends timestamptz;
begin
  select access_policies.policy as rules, access_policies.version into policy from access_policies
    where proxy_uuid = proxy and access_policies.version = version_then
      and access_policies.policy->>'kind' = 'wall' for share;
  if not found then return null; end if;
  select * into before from access_sessions
    where token_hash = previous and proxy_uuid = proxy and policy_version = version_then and expires_at > now();
  ends := least(now() + (policy.rules->>'days')::integer * interval '1 day', until, before.expires_at);
  delete from access_sessions where id = before.id;
  insert into access_sessions (proxy_uuid, token_hash, policy_version, methods, user_id, auth_session, as_admin, address,
    user_agent, expires_at)
  values (proxy, token, version_then, array(select distinct unnest(coalesce(before.methods, '{}') || passed)),
    coalesce(who, before.user_id), coalesce(with_session, before.auth_session), admin or coalesce(before.as_admin, false),
    from_address, agent, ends);
  return ends;
end $$;

-- With a PIN or a password, which the edge has verified.
create function pass_access_secret(
  proxy uuid, version_then integer, passed text, token bytea, previous bytea, from_address text, agent text
) returns timestamptz language sql security definer set search_path = proxies, pg_temp as $$
  select begin_access(proxy, version_then, passed, token, previous, from_address, agent, null, null, false, null)
  where passed in ('pin', 'password');
$$;

-- With a code that the panel has given the browser: once, for one host, in the browser that has the state.
create function redeem_access_code(
  code bytea, at_host text, state bytea, token bytea, previous bytea, from_address text, agent text
) returns timestamptz language plpgsql security definer set search_path = proxies, pg_temp as $$
declare
  found_code record;
begin
  delete from access_codes where code_hash = code returning * into found_code;
  if found_code.host is distinct from at_host or found_code.state_hash is distinct from state
    or found_code.expires_at <= now() then return null; end if;
  return begin_access(found_code.proxy_uuid, (select version from access_policies where proxy_uuid = found_code.proxy_uuid),
    found_code.method, token, previous, from_address, agent, found_code.user_id, found_code.auth_session,
    found_code.as_admin, found_code.member_until);
end $$;

revoke all on function count_access_try(uuid, text, integer, integer), return_access_try(uuid, text),
  begin_access(uuid, integer, text, bytea, bytea, text, text, bigint, uuid, boolean, timestamptz),
  pass_access_secret(uuid, integer, text, bytea, bytea, text, text),
  redeem_access_code(bytea, text, bytea, bytea, bytea, text, text) from public;
grant execute on function count_access_try(uuid, text, integer, integer), return_access_try(uuid, text),
  pass_access_secret(uuid, integer, text, bytea, bytea, text, text),
  redeem_access_code(bytea, text, bytea, bytea, bytea, text, text) to edge_app;
grant select (token_hash, proxy_uuid, policy_version, methods, expires_at) on access_sessions to edge_app;

-- Edges look at what visitors have open when a visit has ended.
create trigger access_session_ended after delete on access_sessions
  for each row execute function access_policy_changed();

-- A changed policy ends all visits.
create function access_policy_renewed() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from access_sessions where proxy_uuid = new.proxy_uuid and policy_version <> new.version;
  delete from access_codes where proxy_uuid = new.proxy_uuid;
  return null;
end $$;
create trigger access_policy_renewed after update of version on access_policies
  for each row execute function access_policy_renewed();

-- Who is no member any more, or for another time, has to pass again.
create function member_left() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from access_sessions using proxies
    where proxies.id = old.proxy_id and access_sessions.proxy_uuid = proxies.uuid and access_sessions.user_id = old.user_id
      and access_sessions.methods <> '{owner}';
  delete from access_codes using proxies
    where proxies.id = old.proxy_id and access_codes.proxy_uuid = proxies.uuid and access_codes.user_id = old.user_id;
  return null;
end $$;
create trigger member_left after delete or update of member_until, role, user_id on members
  for each row execute function member_left();

-- A suspended or deleted user visits nothing.
create function visitor_barred() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from access_sessions where user_id = new.user_id;
  delete from access_codes where user_id = new.user_id;
  return null;
end $$;
create trigger visitor_barred after update on quotas
  for each row when (new.closed and not old.closed or new.suspended_at is not null and old.suspended_at is null)
  execute function visitor_barred();
