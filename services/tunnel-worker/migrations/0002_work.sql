-- A lease's row is also what is to be done: a wake-up is stored here and acknowledged, so that no outage of
-- the provider holds messages back. One row per proxy that is to be looked at, is being worked on, or whose
-- last run did not end clean.
alter table leases
  -- When to look at it next; null: when somebody wakes it. Set while it is held: once more afterwards.
  add due_at timestamptz,
  -- Somebody waits for it.
  add urgent boolean not null default false,
  -- An earlier run may have changed more at the provider than it reported.
  add doubtful boolean not null default true,
  -- Look at all that bears its name, even when proxies wants nothing new.
  add tidy boolean not null default false,
  -- The last quick attempt has failed, for this reason; an operator may retry it.
  add parked_at timestamptz,
  add parked_reason text,
  add parked_detail text;
create index leases_due on leases (due_at) where holder is null and due_at is not null;
create index leases_held on leases (expires_at) where holder is not null;

-- What had been put off is due when its message would have come again.
update leases set due_at = coalesce(retry_at, now()) where holder is null;
