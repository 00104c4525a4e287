-- Lets a visitor in with a PIN or a password, which the edge has verified.
create or replace function pass_access_secret(
  proxy uuid, version_then integer, passed text, token bytea, previous bytea, from_address text, agent text
) returns timestamptz language sql security definer set search_path = proxies, pg_temp as $$
  select begin_access(proxy, version_then, passed, token, previous, from_address, agent, null, null, false, null)
  where passed in ('pin', 'password');
$$;
revoke all on function pass_access_secret(uuid, integer, text, bytea, bytea, text, text) from public;
grant execute on function pass_access_secret(uuid, integer, text, bytea, bytea, text, text) to edge_app;
