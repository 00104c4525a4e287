-- A tunnel is believed to be gone when two passes in a row have missed it, and not while many are missing at once.
alter table reconciler
  -- The ids of the tunnels that the last pass missed.
  add column missed text[] not null default '{}',
  -- Since when more are missing than the brake allows: a wrong account has none of them.
  add column many_missing_at timestamptz;
