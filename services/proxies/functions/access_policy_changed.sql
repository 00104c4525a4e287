-- Has every edge look at the proxy’s names anew, and at what visitors have open there, as the change is committed: when its policy changes,
-- when a visit ends, when a program’s token is revoked, and when it is paused. It also fires for roles that have another search path, a superuser for example.
create or replace function access_policy_changed() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
declare
  changed uuid := to_jsonb(coalesce(new, old)) ->> coalesce(tg_argv[0], 'proxy_uuid');
begin
  perform pg_notify('edge', 'host ' || name) from (
    select hostname as name from hostnames where proxy_uuid = changed
    union
    select host from domains join proxies on proxies.id = domains.proxy_id where proxies.uuid = changed
  ) names;
  return null;
end $$;

create or replace trigger access_policy_changed after insert or update or delete on access_policies
  for each row execute function access_policy_changed();

create or replace trigger visit_ended after delete on visits
  for each row execute function access_policy_changed();

create or replace trigger service_token_revoked after delete on service_tokens
  for each row execute function access_policy_changed();
