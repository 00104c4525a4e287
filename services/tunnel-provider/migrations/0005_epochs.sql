-- Each start of an edge is an epoch of its own. It lives as long as its session with Postgres; another edge
-- notes when that is gone.
create table edge_epochs (
  id uuid primary key,
  begun_at timestamptz not null default now(),
  lost_at timestamptz
);

-- What counts as connected: everything but what a lost epoch has left behind.
create view live_connections as
  select connections.* from connections
  left join edge_epochs on edge_epochs.id = connections.edge_id
  where edge_epochs.lost_at is null;
