-- With what machines connect themselves. They go with their user's account, and with what let the user make them: see the triggers.
create table enrolment_keys (
  id integer generated always as identity primary key,
  user_id bigint not null,
  name text not null,
  -- SHA-256 of what the machine sends.
  key_hash bytea not null unique,
  -- The proxy whose connector it installs; null: each machine gets a new proxy.
  proxy_uuid uuid references proxies (uuid) on delete cascade,
  panel text,
  -- The user could make it because they are an administrator.
  as_admin boolean not null default false,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  uses integer not null,
  used integer not null default 0
);
create index enrolment_keys_by_user on enrolment_keys (user_id);
create index enrolment_keys_by_proxy on enrolment_keys (proxy_uuid) where proxy_uuid is not null;
create index enrolment_keys_by_end on enrolment_keys (expires_at);

-- The machines that a key has connected: each counts once.
create table enrolments (
  enrolment_key_id integer not null references enrolment_keys on delete cascade,
  -- SHA-256 of what the machine has made up.
  machine_hash bytea not null,
  primary key (enrolment_key_id, machine_hash)
);

-- The server that a user's machine is, whichever key it comes with.
create table machines (
  user_id bigint not null,
  machine_hash bytea not null,
  server_uuid uuid not null references servers (uuid) on delete cascade,
  primary key (user_id, machine_hash)
);
create index machines_by_server on machines (server_uuid);
