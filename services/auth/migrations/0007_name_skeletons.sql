-- What a name looks like (UTS #39): nobody gets one that looks like another's. Empty: not computed yet, by auth itself.
alter table users add column skeletons text[] not null default '{}';
create index users_by_skeleton on users using gin (skeletons);
create index users_without_skeletons on users (id) where skeletons = '{}';
