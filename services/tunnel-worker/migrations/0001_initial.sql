-- What is to be done: one row per proxy that is to be checked, is being worked on, or whose last run failed.
-- A request to check a proxy is stored here and acknowledged, so that an outage of the provider holds no message back.
-- Completing a job deletes its row, unless the proxy was requested again meanwhile.
create table jobs (
  proxy_id uuid primary key,
  -- When to run it next; null: when it is requested. Set while it runs: run it once more afterwards.
  due_at timestamptz,
  -- A caller waits for it.
  urgent boolean not null default false,
  -- An earlier run may have changed more at the provider than it reported.
  unverified boolean not null default true,
  -- Compare all that bears the proxy's name at the provider, even when the desired state has not changed.
  full_scan boolean not null default false,
  -- The worker's claim, and when it expires without renewal; null when nobody works on it.
  holder uuid,
  expires_at timestamptz,
  -- The generation that fails, how often it has failed in a row, and when it is retried.
  generation integer,
  failures integer not null default 0,
  retry_at timestamptz,
  -- The last quick attempt has failed, for this reason; an operator may retry it.
  dead_letter_at timestamptz,
  dead_letter_reason text,
  dead_letter_detail text,
  -- The request that asked for it last: the run's log lines and its trace belong to that request.
  request_id text,
  traceparent text
);
create index jobs_due on jobs (due_at) where holder is null and due_at is not null;
create index jobs_held on jobs (expires_at) where holder is not null;

-- What the worker did, for operators.
create table job_runs (
  id bigint generated always as identity primary key,
  proxy_id uuid not null,
  generation integer not null,
  -- Requests to the provider.
  calls integer not null,
  outcome text not null,
  reason text,
  detail text,
  duration_ms integer not null,
  at timestamptz not null default now()
);
create index job_runs_by_proxy on job_runs (proxy_id, id);
create index job_runs_by_age on job_runs (at);

-- The one row that the workers share about resyncs.
create table resync (
  only_row boolean primary key default true check (only_row),
  -- The worker that runs a pass now, and when it must have ended.
  holder uuid,
  expires_at timestamptz,
  -- When the last passes began.
  health_at timestamptz not null default now(),
  resynced_at timestamptz not null default now(),
  -- The database was restored and may know less than the provider: nothing is removed until an operator
  -- has confirmed.
  held_back_at timestamptz,
  -- The ids of the tunnels that the last pass missed. A tunnel is gone when two passes in a row have missed it.
  missed text[] not null default '{}',
  -- Since when more are missing than RESYNC_MAX_DELETIONS allows: a wrong account has none of them.
  many_missing_at timestamptz,
  -- What the last whole pass saw and did.
  report jsonb
);
insert into resync default values;

-- What an operator has to fix at the provider: the last fault of each operation that has one.
create table provider_problems (
  operation text primary key,
  fault text not null,
  -- The provider's own words.
  detail text not null,
  since timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- The faults at the provider that notifications was ordered to know last.
create table reported_faults (
  is_only boolean primary key default true check (is_only),
  faults text[] not null default '{}',
  version bigint not null default 0
);
insert into reported_faults default values;
