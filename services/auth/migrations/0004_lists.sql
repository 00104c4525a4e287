-- The order people expect: without regard to case first, and srv2 before srv10.
create collation natural_order (provider = icu, locale = 'de-u-kn-true');

-- The plan a user is on now, for the lists' filter; a sweep notes when one has run out.
alter table users add column current_tier text;
alter table entitlements add column lapsed boolean not null default false;
update users set current_tier = tier from entitlements where entitlements.user_id = users.id;
create index entitlements_expiring on entitlements (expires_at) where expires_at is not null and not lapsed;

-- One index for each order and filter of the list, ending in the id; the newest pages cost what the first do.
create index users_by_name on users (username collate natural_order, id);
create index users_by_tier on users (current_tier, id);
create index users_by_tier_name on users (current_tier, username collate natural_order, id);
-- How often a text is in a name must be known well: it decides between the indexes.
alter table users alter column username_key set statistics 1000;
create index users_containing on users using gin (username_key gin_trgm_ops);
create index users_starting on users (username_key text_pattern_ops);
