-- What NestJS needs of Talpa's tables, with the same columns and indexes where they are asked for.
create table users (
  id bigint generated always as identity primary key,
  username text not null unique,
  is_admin boolean not null default false,
  proxy_limit integer not null default 25,
  subscription_tier text default 'enterprise',
  subscription_expiry timestamptz,
  suspended_at timestamptz,
  suspension_reason text
);
create table sessions (
  id uuid primary key,
  user_id bigint not null references users,
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '30 days'
);
-- Every round leaves some proxies that its end came before the delete of.
create table quotas (user_id bigint primary key, proxy_limit integer not null default 1000);
create table proxies (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  user_id bigint not null,
  server_name text not null,
  server_ip text not null,
  admin_port integer not null,
  custom_url text,
  hostname text not null,
  proxy_port integer not null,
  created_at timestamptz not null default now(),
  status text not null,
  version integer not null default 1,
  removed_at timestamptz,
  applied jsonb
);
create index proxies_by_user on proxies (user_id, id) where removed_at is null;
create table hostnames (hostname text primary key, proxy_uuid uuid not null);
create index hostnames_by_proxy on hostnames (proxy_uuid);
create table audit (
  id bigint generated always as identity primary key,
  -- A message may come twice.
  message_id uuid not null unique,
  at timestamptz not null default now(),
  action text not null,
  user_id bigint not null,
  proxy_id bigint not null,
  label text not null
);
create index audit_by_user on audit (user_id, id);
create table totals (name text primary key, value bigint not null);
insert into totals values ('proxies', 0);
create table outbox (
  id bigint generated always as identity primary key,
  subject text not null,
  payload jsonb not null,
  created_at timestamptz not null default now()
);
create table jobs (proxy_uuid uuid primary key, holder uuid, expires_at timestamptz);
create table job_runs (
  id bigint generated always as identity primary key,
  proxy_uuid uuid not null,
  outcome text not null,
  duration_ms integer not null,
  at timestamptz not null default now()
);
create index job_runs_by_proxy on job_runs (proxy_uuid, id);
create table states (
  proxy_uuid uuid not null,
  version integer not null,
  state text not null,
  at timestamptz not null default now(),
  primary key (proxy_uuid, version)
);
