-- The server whose tunnel still serves a proxy that has moved, until its new one does.
alter table proxies add column moved_from bigint;
create index proxies_by_move on proxies (moved_from) where moved_from is not null;
-- Who is at a proxy that is deleted leaves, though its tunnel goes on for others.
grant select (removed_at) on proxies to edge_app;
