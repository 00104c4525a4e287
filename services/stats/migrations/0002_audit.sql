-- Who did what to whom, when and from where. Each row was written by the service that did it.
create table audit (
  id uuid primary key,
  -- Whole milliseconds, as they travel.
  at timestamptz(3) not null,
  service text not null,
  action text not null,
  -- Null: the system itself, or an operator.
  actor_user_id bigint,
  actor_is_admin boolean,
  actor_session_id uuid,
  -- Null after 90 days.
  address text,
  user_agent text,
  target_kind text not null,
  target_id text not null,
  target_label text,
  subject_user_id bigint,
  changes jsonb not null,
  request_id text not null
);
-- The newest first, whole or by one filter; the rest of a filter is looked at row by row.
create index audit_by_time on audit (at desc, id desc);
create index audit_by_actor on audit (actor_user_id, at desc, id desc);
create index audit_by_subject on audit (subject_user_id, at desc, id desc);
create index audit_by_action on audit (action, at desc, id desc);
create index audit_by_target on audit (target_kind, target_id, at desc, id desc);
create index audit_with_address on audit (at) where address is not null or user_agent is not null;

-- The names actors have now. Of people who are gone nothing but that they are.
create table people (
  user_id bigint primary key,
  username text,
  version integer not null
);

-- Rows this version cannot read; tried again at each start.
create table audit_dead_letters (
  id bigint generated always as identity primary key,
  received_at timestamptz not null default now(),
  payload text not null,
  why text not null
);
