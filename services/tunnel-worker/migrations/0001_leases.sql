-- One row per proxy that is being worked on, or whose last run did not end clean: then what is at the
-- provider may differ from what was reported. A clean end deletes the row.
create table leases (
  proxy_id uuid primary key,
  -- Who works on it now; null when nobody does.
  holder uuid,
  expires_at timestamptz,
  -- The generation that fails, and how often it has failed in a row.
  generation integer,
  failures integer not null default 0,
  -- The message that will try again, and when: other wake-ups need not.
  retry_message bigint,
  retry_at timestamptz
);

-- What the worker did, for operators.
create table runs (
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
create index runs_by_proxy on runs (proxy_id, id);
create index runs_by_age on runs (at);
