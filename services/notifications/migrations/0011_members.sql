-- The members of a proxy, who are notified of its outages as its owner is.
alter table proxies add column member_ids jsonb not null default '[]';
