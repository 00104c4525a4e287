-- What is recorded of visitors' requests: metadata, live, off.
alter table proxies add column request_log text not null default 'metadata';

-- The edge records them.
grant select (uuid, request_log) on proxies to edge_app;
