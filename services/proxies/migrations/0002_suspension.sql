-- A copy of what auth says of the user, by the version of his snapshot.
alter table quotas
  add column user_version integer not null default 0,
  add column suspended_at timestamptz,
  add column suspension_reason text;

-- The proxy's own suspension, and its owner's: a copy of the copy, so that a proxy's row says all about it.
alter table proxies
  add column suspended_at timestamptz,
  add column suspension_reason text,
  add column owner_suspended_at timestamptz,
  add column owner_suspension_reason text;
