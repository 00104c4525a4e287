-- The owner's name, as his newest snapshot says; null while it is not known, and when he is gone.
alter table quotas add column username text;
-- A copy of the copy, so that a proxy's row says all about it. Administrators search for it, too.
alter table proxies add column owner_name text;
alter table proxies
  add column searchable_by_all text not null generated always as
    (lower(server_name || ' ' || hostname || ' ' || server_ip || ' ' || coalesce(owner_name, ''))) stored;
alter table proxies alter column searchable_by_all set statistics 1000;
create index proxies_containing_by_all on proxies using gin (searchable_by_all gin_trgm_ops)
  where removed_at is null;
