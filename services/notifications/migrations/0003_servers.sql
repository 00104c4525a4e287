-- The server that a proxy is on, and what it is called: a connector that several proxies have in common is named once. Null: the snapshot was
-- made by a version without servers.
alter table proxies add column server_uuid uuid, add column server_label text;
