-- Until when a token lets its program in, in ms since 1970 (9e15: without end); null: it does not. A wrong one counts as a try of its visitor,
-- under a name of its own: a program with an old token locks nobody out of the PIN. Without a visitor nothing counts. Of a proxy no more than
-- a thousand visitors with wrong tokens are counted at the same time: nobody guesses 256 bits, and a guesser with many addresses must not fill
-- the table. Those who are counted already still are.
create or replace function find_service_token(proxy uuid, token bytea, who text, per_visitor integer) returns double precision
language plpgsql security definer set search_path = proxies, pg_temp as $$
declare
  ends double precision;
begin
  perform 1 from access_tries where proxy_uuid = proxy and visitor = 'token ' || who and tries >= per_visitor
    and since >= now() - interval '15 minutes';
  if found then return null; end if;
  select coalesce(extract(epoch from expires_at) * 1000, 9e15) into ends from service_tokens
    where token_hash = token and proxy_uuid = proxy and (expires_at is null or expires_at > now());
  if ends is null and who is not null then
    insert into access_tries (proxy_uuid, visitor)
      select proxy_uuid, 'token ' || who from access_policies where proxy_uuid = proxy and (
        exists (select 1 from access_tries where proxy_uuid = proxy and visitor = 'token ' || who)
        or (select count(*) from (select 1 from access_tries where proxy_uuid = proxy and visitor like 'token %' limit 1000) as counted)
          < 1000)
      on conflict (proxy_uuid, visitor) do update set
        tries = case when access_tries.since < now() - interval '15 minutes' then 1 else access_tries.tries + 1 end,
        since = case when access_tries.since < now() - interval '15 minutes' then now() else access_tries.since end;
  end if;
  return ends;
end $$;
revoke all on function find_service_token(uuid, bytea, text, integer) from public;
grant execute on function find_service_token(uuid, bytea, text, integer) to edge_app;
