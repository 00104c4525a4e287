-- Totals: derived data, rebuilt from the owners when events were lost.

-- The newest known state of every row that is counted; tombstones stay.
create table counted (
  kind text not null,
  id text not null,
  version integer not null,
  present boolean not null,
  active boolean not null,
  -- What the row was before its last event: the statement that applies an event returns the difference.
  was_present boolean not null default false,
  was_active boolean not null default false,
  -- When an event last changed it, and which rebuild last saw it at its owner.
  changed_at timestamptz not null default now(),
  run uuid,
  primary key (kind, id)
);

create table totals (
  name text primary key,
  value bigint not null
);
insert into totals (name, value) values ('users', 0), ('proxies', 0), ('activeProxies', 0);

-- Whether the totals are right. They are unknown during a rebuild, and after events were lost.
create table totals_state (
  known boolean not null,
  -- The latest rebuild, when it began and when it last did something.
  run uuid,
  started_at timestamptz,
  alive_at timestamptz
);
insert into totals_state (known) values (true);

-- The audit trail: who did what to whom, when and from where. Each row was written by the service that did it.
create table audit (
  id uuid primary key,
  -- Whole milliseconds, as in messages.
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
  request_id text not null,
  -- The API key that acted in the actor's name; null: a session did. The name goes with its owner's.
  actor_key_id bigint,
  actor_key_name text
);

-- The newest first, whole or by one filter; the rest of a filter is checked row by row.
create index audit_by_time on audit (at desc, id desc);
create index audit_by_actor on audit (actor_user_id, at desc, id desc);
create index audit_by_subject on audit (subject_user_id, at desc, id desc);
create index audit_by_action on audit (action, at desc, id desc);
create index audit_by_target on audit (target_kind, target_id, at desc, id desc);
create index audit_with_address on audit (at) where address is not null or user_agent is not null;

-- The names that users in the trail have now. Of deleted users only the id and the version stay.
create table users (
  user_id bigint primary key,
  username text,
  version integer not null
);

-- Rows this version cannot read; tried again at each start.
create table audit_dead_letters (
  id bigint generated always as identity primary key,
  received_at timestamptz not null default now(),
  payload text not null,
  why text not null,
  -- Who sent it, as NATS knows them: what is kept of each is bounded. Empty: kept before that was stored.
  sender text not null default ''
);

-- Measured history: primary data, removed by age, never touched by a rebuild of the totals.

-- Which proxy a tunnel belongs or belonged to: a recreated tunnel continues its proxy's history.
create table tunnels (
  tunnel_id text primary key,
  proxy_id uuid not null
);
create index tunnels_by_proxy on tunnels (proxy_id);

-- Who is notified of a proxy's news.
create table owners (
  proxy_id uuid primary key,
  id bigint not null,
  user_id bigint not null,
  -- The members of a proxy, who are notified of its news like its owner, and the version that says so.
  member_ids jsonb not null default '[]',
  version integer not null default 0
);
create index owners_by_id on owners (id);

-- What a proxy was from a moment on, by its versions; a version that is missing was never received.
create table states (
  proxy_id uuid not null,
  version integer not null,
  at timestamptz(3) not null,
  -- up, down, unknown, gone
  state text not null,
  primary key (proxy_id, version)
);
create index states_by_time on states (at);

-- What went through a tunnel in a quarter of an hour, as the edge last reported.
create table traffic (
  tunnel_id text not null,
  quarter timestamptz not null,
  version bigint not null,
  requests bigint not null,
  bytes_in bigint not null,
  bytes_out bigint not null,
  responses_1xx bigint not null,
  responses_2xx bigint not null,
  responses_3xx bigint not null,
  responses_4xx bigint not null,
  responses_5xx bigint not null,
  unreachable bigint not null,
  primary key (tunnel_id, quarter)
);
create index traffic_by_quarter on traffic (quarter);

-- What the panel behind a tunnel last did, as the edge last reported.
create table origins (
  tunnel_id text primary key,
  version bigint not null,
  last_response_at timestamptz(3),
  last_status integer,
  last_unreachable_at timestamptz(3),
  -- Since when it does not respond: the first request after its last response that did not reach it. Null: it responds.
  unreachable_since timestamptz(3),
  -- Whether notifications knows that it does not respond.
  is_reported boolean not null default false
);

-- How the requests of a proxy's visitors are logged, by the proxy's newest state.
create table request_logs (
  proxy_id uuid primary key,
  -- That of the state; 0: none with a mode has come yet.
  version integer not null default 0,
  -- metadata, live, off
  mode text not null default 'metadata',
  -- Since when the mode holds.
  since timestamptz(3) not null default 'epoch',
  -- How many requests are stored.
  stored integer not null default 0,
  -- Until then somebody watches: they are notified of new requests.
  watched_until timestamptz(3)
);

-- What visitors asked; neither queries nor whole addresses.
create table requests (
  id bigint generated always as identity,
  proxy_id uuid not null,
  -- The edge's, which the visitor sees, too: a message that comes twice stores nothing twice.
  request_id text not null,
  at timestamptz(3) not null,
  method text not null,
  path text not null,
  status smallint,
  duration integer not null,
  bytes_in bigint not null,
  bytes_out bigint not null,
  network text not null,
  agent text not null,
  reason text,
  -- The rule of the access policy that has refused a request, counted from 1.
  rule smallint,
  primary key (proxy_id, request_id)
);
create index requests_by_time on requests (proxy_id, at desc, id desc);
create index requests_by_id on requests (id);

-- Requests that were not logged because there were too many at once.
create table missed_requests (
  proxy_id uuid not null,
  hour timestamptz not null,
  count bigint not null,
  primary key (proxy_id, hour)
);

-- What users pay for: it says how long the requests to their proxies are kept.
create table plans (
  user_id bigint primary key,
  tier text,
  expires_at timestamptz,
  version integer not null
);

-- Which messages of a stream were handled: one that leaves the stream otherwise was lost.
create table handled_messages (
  stream text primary key,
  -- When NATS made the stream; null until it was looked at.
  created text,
  -- All before it were handled, or are reported as lost.
  floor bigint not null default 1,
  handled int8multirange not null default '{}'
);
