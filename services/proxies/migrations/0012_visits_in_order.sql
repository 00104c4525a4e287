-- What begins visits and what ends them wait for each other, so that a visit cannot begin beside its end: everything locks the policy first,
-- then codes, then visits. Two that lock in another order fail as a deadlock.

alter table access_email_codes
  -- How long tries are counted, the same for every request. When its code expires depends on whether it was sent: were tries counted until
  -- then, the time that the last one takes would show whether the address is listed.
  add column counts_until timestamptz not null default now() + interval '20 minutes';
drop index access_email_codes_by_expiry;
create index access_email_codes_by_end on access_email_codes (counts_until);

-- As before, but it locks the policy first, and counts wrong tries as long for every request.
create or replace function redeem_access_email(
  proxy uuid, at_host text, state bytea, code text, token bytea, previous bytea, from_address text, agent text
) returns timestamptz language plpgsql security definer set search_path = proxies, pg_temp as $$
declare
  request record;
  ends timestamptz;
begin
  perform 1 from access_policies where proxy_uuid = proxy for share;
  select * into request from access_email_codes
    where state_hash = state and proxy_uuid = proxy and host = at_host and counts_until > now() and tries < 5 for update;
  if not found then return null; end if;
  if request.expires_at <= now() or request.code_hash is distinct from sha256(state || convert_to(code, 'UTF8')) then
    update access_email_codes set tries = tries + 1 where id = request.id;
    return null;
  end if;
  delete from access_email_codes where id = request.id;
  delete from access_code_mails where code_id = request.id;
  ends := begin_access(proxy, request.policy_version, 'email', token, previous, from_address, agent, null, null, false, null);
  update access_sessions set email = request.address where token_hash = token;
  return ends;
end $$;

-- As before, but it locks the policy first.
create or replace function redeem_access_code(
  code bytea, at_host text, state bytea, token bytea, previous bytea, from_address text, agent text
) returns timestamptz language plpgsql security definer set search_path = proxies, pg_temp as $$
declare
  found_code record;
begin
  perform 1 from access_policies where proxy_uuid = (select proxy_uuid from access_codes where code_hash = code) for share;
  delete from access_codes where code_hash = code returning * into found_code;
  if found_code.host is distinct from at_host or found_code.state_hash is distinct from state
    or found_code.expires_at <= now() then return null; end if;
  return begin_access(found_code.proxy_uuid, (select version from access_policies where proxy_uuid = found_code.proxy_uuid),
    found_code.method, token, previous, from_address, agent, found_code.user_id, found_code.auth_session,
    found_code.as_admin, found_code.member_until);
end $$;

-- As before, but codes first: that waits for one that is just redeemed, whose visit then ends too.
create or replace function member_left() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from access_codes using proxies
    where proxies.id = old.proxy_id and access_codes.proxy_uuid = proxies.uuid and access_codes.user_id = old.user_id;
  delete from access_sessions using proxies
    where proxies.id = old.proxy_id and access_sessions.proxy_uuid = proxies.uuid and access_sessions.user_id = old.user_id
      and access_sessions.methods <> '{owner}';
  return null;
end $$;

-- As before, but codes first.
create or replace function visitor_barred() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from access_codes where user_id = new.user_id;
  delete from access_sessions where user_id = new.user_id;
  return null;
end $$;
