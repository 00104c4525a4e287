-- Lets a visitor in who has entered the code of their email: once, for one host, in the browser that has the state. Wrong tries are counted as
-- long for every request. A code that has been redeemed counts for ten seconds more in its browser, for the same visit with another secret:
-- anyone who presses Enter twice has their browser drop the response to the first request, and with it the only secret of the visit.
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
  -- One that has been ended does not begin anew.
  if request.visit_token is not null
    and not exists (select 1 from visits where token_hash = request.visit_token) then return null; end if;
  update access_email_codes set visit_token = token, expires_at = least(expires_at, now() + interval '10 seconds')
    where id = request.id;
  delete from access_code_mails where code_id = request.id;
  ends := begin_access(proxy, request.policy_version, 'email', token, coalesce(request.visit_token, previous), from_address, agent,
    null, null, false, null);
  update visits set email = request.address where token_hash = token;
  return ends;
end $$;
revoke all on function redeem_access_email(uuid, text, bytea, text, bytea, bytea, text, text) from public;
grant execute on function redeem_access_email(uuid, text, bytea, text, bytea, bytea, text, text) to edge_app;
