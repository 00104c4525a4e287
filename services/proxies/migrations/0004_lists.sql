-- The order people expect: without regard to case first, and srv2 before srv10.
create collation natural_order (provider = icu, locale = 'de-u-kn-true');

-- One index for each order and filter of the lists, ending in the id; the newest pages cost what the first do.
create index proxies_all on proxies (id) where removed_at is null;
create index proxies_by_name on proxies (server_name collate natural_order, id) where removed_at is null;
create index proxies_by_status on proxies (status, id) where removed_at is null;
create index proxies_by_status_name on proxies (status, server_name collate natural_order, id)
  where removed_at is null;
create index proxies_by_user_name on proxies (user_id, server_name collate natural_order, id)
  where removed_at is null;

-- What is searched: columns, because the planner then knows how often a text is in them. That must be
-- known well: it decides between the indexes.
alter table proxies
  add column name_key text not null generated always as (lower(server_name)) stored,
  add column searchable text not null
    generated always as (lower(server_name || ' ' || hostname || ' ' || server_ip)) stored;
alter table proxies alter column searchable set statistics 1000;
create index proxies_containing on proxies using gin (searchable gin_trgm_ops) where removed_at is null;
create index proxies_starting on proxies (name_key text_pattern_ops) where removed_at is null;
