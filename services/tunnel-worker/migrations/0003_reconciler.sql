-- The one row the workers share about reconciling.
create table reconciler (
  only_row boolean primary key default true check (only_row),
  -- Who makes a pass now, and when he must have ended.
  holder uuid,
  expires_at timestamptz,
  -- When the last passes began.
  health_at timestamptz not null default now(),
  reconciled_at timestamptz not null default now(),
  -- The database was restored and may know less than the provider: nothing is removed until an operator
  -- has confirmed.
  held_back_at timestamptz,
  -- What the last whole pass saw and did.
  report jsonb
);
insert into reconciler default values;
