-- The wall's codes by email: who may get one, who has requested one, and how many were sent.
alter table access_policies
  -- Addresses in lower case. Not in the policy, which the edge reads.
  add column emails text[] not null default '{}';
alter table access_sessions
  -- Where the code went with which they have passed.
  add column email text;

-- The edge compares no address, so it reads none.
revoke select on access_policies from edge_app;
grant select (proxy_uuid, policy, version, pin_hash, password_hash) on access_policies to edge_app;

-- What a visitor has requested, whether or not the address is listed: that is looked at when the email is to be sent.
create table access_email_codes (
  -- The cause of its email.
  id uuid primary key default gen_random_uuid(),
  proxy_uuid uuid not null references access_policies on delete cascade,
  policy_version integer not null,
  address text not null,
  host text not null,
  language text not null,
  -- SHA-256 of what the wall has given the browser.
  state_hash bytea not null unique,
  -- SHA-256 of state_hash and the code; null until the email is sent.
  code_hash bytea,
  -- Wrong ones.
  tries integer not null default 0,
  -- Counted anew when the code is made.
  expires_at timestamptz not null default now() + interval '10 minutes'
);
create index access_email_codes_by_proxy on access_email_codes (proxy_uuid);
create index access_email_codes_by_expiry on access_email_codes (expires_at);

-- Emails of the last hour whose code nobody has entered, by the owner of the proxies. It outlives policy and proxy: an owner who
-- saves a policy again and again sends no more than others.
create table access_code_mails (
  code_id uuid primary key,
  owner_id bigint not null,
  -- SHA-256.
  address_hash bytea not null,
  sent_at timestamptz not null default now()
);
create index access_code_mails_by_owner on access_code_mails (owner_id);
create index access_code_mails_by_time on access_code_mails (sent_at);

-- Stores what a visitor has requested and orders its email, by the same statements for every address. Returns how many seconds they
-- have to wait; 0: it is ordered; null: the policy is another one now. Requests are counted, listed or not.
create function request_access_email(
  proxy uuid, version_then integer, given text, at_host text, state bytea, in_language text, who text, per_visitor integer,
  per_proxy integer
) returns integer language plpgsql security definer set search_path = proxies, pg_temp as $$
declare
  spent record;
  request uuid;
begin
  perform 1 from access_policies where proxy_uuid = proxy and version = version_then and policy->>'kind' = 'wall'
    and policy->'methods' ? 'email' for update;
  if not found then return null; end if;
  delete from access_tries where proxy_uuid = proxy and visitor in ('mail', 'mail ' || who)
    and since < now() - interval '15 minutes';
  select ceil(max(extract(epoch from since + interval '15 minutes' - now())))::integer as wait into spent from access_tries
    where proxy_uuid = proxy
      and ((visitor = 'mail ' || who and tries >= per_visitor) or (visitor = 'mail' and tries >= per_proxy));
  if spent.wait is not null then return greatest(1, spent.wait); end if;
  insert into access_tries (proxy_uuid, visitor) values (proxy, 'mail ' || who), (proxy, 'mail')
    on conflict (proxy_uuid, visitor) do update set tries = access_tries.tries + 1;
  insert into access_email_codes (proxy_uuid, policy_version, address, host, language, state_hash)
    values (proxy, version_then, given, at_host, in_language, state) returning id into request;
  -- As `tx.command` writes it.
  insert into outbox (subject, payload)
    select 'command.notifications.sendAccessCode', jsonb_build_object('id', request, 'userId', user_id,
      'mail', jsonb_build_object('kind', 'access_code', 'params', '{}'::jsonb),
      'at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from proxies where uuid = proxy;
  return 0;
end $$;

-- Lets a visitor in who has entered the code of their email: once, for one host, in the browser that has the state.
create function redeem_access_email(
  proxy uuid, at_host text, state bytea, code text, token bytea, previous bytea, from_address text, agent text
) returns timestamptz language plpgsql security definer set search_path = proxies, pg_temp as $$
declare
  request record;
  ends timestamptz;
begin
  select * into request from access_email_codes
    where state_hash = state and proxy_uuid = proxy and host = at_host and expires_at > now() and tries < 5 for update;
  if not found then return null; end if;
  if request.code_hash is distinct from sha256(state || convert_to(code, 'UTF8')) then
    update access_email_codes set tries = tries + 1 where id = request.id;
    return null;
  end if;
  delete from access_email_codes where id = request.id;
  delete from access_code_mails where code_id = request.id;
  ends := begin_access(proxy, request.policy_version, 'email', token, previous, from_address, agent, null, null, false, null);
  update access_sessions set email = request.address where token_hash = token;
  return ends;
end $$;

revoke all on function
  request_access_email(uuid, integer, text, text, bytea, text, text, integer, integer),
  redeem_access_email(uuid, text, bytea, text, bytea, bytea, text, text) from public;
grant execute on function
  request_access_email(uuid, integer, text, text, bytea, text, text, integer, integer),
  redeem_access_email(uuid, text, bytea, text, bytea, bytea, text, text) to edge_app;

-- New: a visitor who passes one more method keeps the address that their code was sent to.
create or replace function begin_access(
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
    user_agent, expires_at, email)
  values (proxy, token, version_then, array(select distinct unnest(coalesce(before.methods, '{}') || passed)),
    coalesce(who, before.user_id), coalesce(with_session, before.auth_session), admin or coalesce(before.as_admin, false),
    from_address, agent, ends, before.email);
  return ends;
end $$;

-- A changed policy ends all visits, and what was requested under it.
create or replace function access_policy_renewed() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from access_sessions where proxy_uuid = new.proxy_uuid and policy_version <> new.version;
  delete from access_codes where proxy_uuid = new.proxy_uuid;
  delete from access_email_codes where proxy_uuid = new.proxy_uuid;
  return null;
end $$;
