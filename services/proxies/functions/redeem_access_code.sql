-- Lets a visitor in with a code that the panel has given the browser: once, for one host, in the browser that has the state.
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
revoke all on function redeem_access_code(bytea, text, bytea, bytea, bytea, text, text) from public;
grant execute on function redeem_access_code(bytea, text, bytea, bytea, bytea, text, text) to edge_app;
