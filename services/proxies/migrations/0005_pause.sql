-- A proxy whose visitors see a message for a while: since when, and what they read. The edge reads both.
alter table proxies add column paused_at timestamptz, add column pause_message text;
grant select (paused_at, pause_message) on proxies to edge_app;
