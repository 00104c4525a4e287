-- The members of a proxy, who are notified of its news like its owner, and the version that says so.
alter table owners add column member_ids jsonb not null default '[]';
alter table owners add column version integer not null default 0;
create index owners_by_id on owners (id);
