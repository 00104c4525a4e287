-- The last known state of users. Notifications follow from comparing a snapshot with it. Null: not known yet.
alter table people
  add column is_suspended boolean,
  add column wants_system boolean not null default true,
  add column wants_maintenance boolean not null default true;

-- What was last known of proxies. Rows of deleted ones stay as tombstones without a name.
create table proxies (
  uuid uuid primary key,
  proxy_id bigint not null,
  user_id bigint not null,
  server_name text,
  version integer not null,
  deleted boolean not null,
  -- Null: nothing is known yet.
  is_suspended boolean,
  -- Pending says neither: the earlier value stays.
  has_error boolean not null
);
create index proxies_by_user on proxies (user_id) where not deleted;

-- What was last known of plans.
create table plans (
  user_id bigint primary key,
  tier text,
  proxy_limit integer not null,
  expires_at timestamptz,
  version integer not null,
  deleted boolean not null,
  -- The ends that users were notified of: once each.
  ending_notified_for timestamptz,
  ended_notified_for timestamptz
);
create index plans_ending on plans (expires_at)
  where tier is not null and expires_at is distinct from ended_notified_for;

create table inbox (
  id bigint generated always as identity primary key,
  -- What caused it: however often that is seen, it is one notification.
  cause text not null unique,
  user_id bigint not null,
  kind text not null,
  params jsonb not null,
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index inbox_by_user on inbox (user_id, id);
create index inbox_unread on inbox (user_id, id) where read_at is null;
create index inbox_by_age on inbox (created_at);
