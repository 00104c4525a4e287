-- Lets a visitor in who has passed by one more method. They keep the address that their code was sent to. Returns when their visit ends;
-- null: the policy is another one now.
--
-- What begins visits and what ends them wait for each other, so that a visit cannot begin beside its end: everything locks the policy first,
-- then codes, then visits. Two that lock in another order fail as a deadlock.
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
  select * into before from visits
    where token_hash = previous and proxy_uuid = proxy and policy_version = version_then and expires_at > now();
  ends := least(now() + (policy.rules->>'days')::integer * interval '1 day', until, before.expires_at);
  delete from visits where id = before.id;
  insert into visits (proxy_uuid, token_hash, policy_version, methods, user_id, auth_session, as_admin, address,
    user_agent, expires_at, email)
  values (proxy, token, version_then, array(select distinct unnest(coalesce(before.methods, '{}') || passed)),
    coalesce(who, before.user_id), coalesce(with_session, before.auth_session), admin or coalesce(before.as_admin, false),
    from_address, agent, ends, before.email);
  return ends;
end $$;
revoke all on function begin_access(uuid, integer, text, bytea, bytea, text, text, bigint, uuid, boolean, timestamptz) from public;
