-- What is left of deleted users: enough to publish their deletion again for projections that missed it.
create table deleted_users (
  id bigint primary key,
  created_at timestamptz not null,
  version integer not null
);
