-- A try was right: it takes nothing of the budget of guesses.
create or replace function return_access_try(proxy uuid, who text) returns void
language sql security definer set search_path = proxies, pg_temp as $$
  update access_tries set tries = greatest(0, tries - 1) where proxy_uuid = proxy and visitor in (who, '');
$$;
revoke all on function return_access_try(uuid, text) from public;
grant execute on function return_access_try(uuid, text) to edge_app;
