-- Who may visit a proxy; without a row everybody may.
create table access_policies (
  proxy_uuid uuid primary key references proxies (uuid) on delete cascade,
  policy jsonb not null
);

-- Has every edge look at the proxy's names anew, and at what visitors have open there, as the change is committed.
create function access_policy_changed() returns trigger language plpgsql as $$
declare
  changed uuid := coalesce(new.proxy_uuid, old.proxy_uuid);
begin
  perform pg_notify('edge', 'host ' || name) from (
    select hostname as name from hostnames where proxy_uuid = changed
    union
    select host from domains join proxies on proxies.id = domains.proxy_id where proxies.uuid = changed
  ) names;
  return null;
end $$;
create trigger access_policy_changed after insert or update or delete on access_policies
  for each row execute function access_policy_changed();

-- The edge enforces them.
grant usage on schema proxies to edge_app;
grant select on access_policies to edge_app;
