-- Counts a try. Returns how many seconds the visitor has to wait; 0: they may try. What was not allowed counts nothing.
create or replace function count_access_try(proxy uuid, who text, per_visitor integer, per_proxy integer) returns integer
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
revoke all on function count_access_try(uuid, text, integer, integer) from public;
grant execute on function count_access_try(uuid, text, integer, integer) to edge_app;
