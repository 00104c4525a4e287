-- Stores what a visitor has requested and orders its email, by the same statements for every address. Returns how many seconds they
-- have to wait; 0: it is ordered; null: the policy is another one now. Requests are counted, listed or not.
create or replace function request_access_email(
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
revoke all on function request_access_email(uuid, integer, text, text, bytea, text, text, integer, integer) from public;
grant execute on function request_access_email(uuid, integer, text, text, bytea, text, text, integer, integer) to edge_app;
