-- The proxy's owner lets nobody through for a while: that nothing responds is no outage.
alter table proxies add column is_paused boolean not null default false;
