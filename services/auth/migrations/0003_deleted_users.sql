-- What is left of deleted users: enough to tell again, to whoever missed it, that they are gone.
create table deleted_users (
  id bigint primary key,
  created_at timestamptz not null,
  version integer not null
);
