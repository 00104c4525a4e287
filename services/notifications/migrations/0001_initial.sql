-- What is known of users: their names, for the log. Rows of deleted users stay as tombstones without a name.
create table users (
  user_id bigint primary key,
  username text,
  -- Case-folded, for the search.
  username_key text,
  version integer not null,
  -- The last known state of users. Notifications follow from comparing a snapshot with it. Null: not known yet.
  is_suspended boolean,
  wants_system boolean not null default true,
  wants_maintenance boolean not null default true,
  is_admin boolean not null default false,
  wants_email boolean not null default false,
  -- From when to when, in which time zone, the user gets no emails. Null: no such time.
  quiet_hours jsonb
);
create index users_containing on users using gin (username_key gin_trgm_ops);
create index users_starting on users (username_key text_pattern_ops);

create table mails (
  id bigint generated always as identity primary key,
  -- What ordered it: however often it is ordered, it is one email.
  cause uuid not null unique,
  user_id bigint not null,
  kind text not null,
  params jsonb not null,
  created_at timestamptz not null default now(),
  state text not null,
  state_at timestamptz not null default now(),
  -- When it is tried next; while it is being sent: when its holder's lease ends.
  due_at timestamptz,
  holder uuid,
  -- The server may have it already: a process that dies now does not know.
  handed_over boolean not null default false,
  attempts integer not null default 0,
  -- Attempts since somebody has ordered it, for the pauses between them.
  failures integer not null default 0,
  uncertain_attempts integer not null default 0,
  last_answer text,
  -- What it says, kept where nobody sends it.
  content jsonb,
  check ((state in ('queued', 'sending')) = (due_at is not null)),
  check ((state = 'sending') = (holder is not null))
);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_by_user on mails (user_id, id);
create index mails_by_state on mails (state, id);
create index mails_by_kind on mails (kind, id);
create index mails_by_age on mails (created_at);
create index mails_with_content on mails (created_at) where content is not null;

-- The email that still takes in what comes into an inbox.
create index mails_open on mails (user_id) where kind = 'notifications' and state = 'queued' and attempts = 0;

-- When the database was restored: emails whose cause is older may have been sent before, and wait for an administrator.
create table restored (
  at timestamptz not null
);

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
  has_error boolean not null,
  is_connected boolean not null default false,
  tunnel_id text,
  -- Since when its connector is away; null: it is not, or was never there.
  away_since timestamptz,
  -- When its owner was notified of that.
  lost_notified_at timestamptz,
  -- Since when it is back from an absence that its owner was notified of; they are not notified of the return yet.
  back_at timestamptz,
  -- The members of a proxy, who are notified of its outages as its owner is.
  member_ids jsonb not null default '[]'
);
create index proxies_by_user on proxies (user_id) where not deleted;
create index proxies_away on proxies (away_since) where away_since is not null and lost_notified_at is null;
create index proxies_back on proxies (user_id) where back_at is not null;
create index proxies_lost on proxies (user_id) where lost_notified_at is not null;
create index proxies_by_tunnel on proxies (tunnel_id) where not deleted;

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
create index inbox_announced on inbox (((params ->> 'announcementId')::bigint)) where kind = 'announcement';

-- Times at which so many connectors were lost at once that the cause is hardly theirs.
create table mass_losses (
  id bigint generated always as identity primary key,
  detected_at timestamptz not null default now(),
  -- When the first of them was lost.
  first_at timestamptz not null,
  administrators_notified boolean not null default false
);

create table announcements (
  id bigint generated always as identity primary key,
  level text not null,
  title_de text not null,
  text_de text not null,
  title_en text not null,
  text_en text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- It has begun and goes into inboxes in the order of their users: up to this one it has. Null: into all there are.
  notified_up_to bigint default 0
);
create index announcements_to_begin on announcements (starts_at) where notified_up_to is not null;
create index announcements_by_end on announcements (ends_at);

-- Where users get notifications beside inbox and email.
create table channels (
  id bigint generated by default as identity primary key,
  -- Null: it is one of the installation, which gets what happens to all users.
  user_id bigint,
  kind text not null,
  name text not null,
  -- The server it leads to. The rest of the address is in the secret.
  host text not null,
  topics text[] not null,
  -- In which its notifications are written.
  language text not null,
  -- Address, tokens and signing secrets as JSON: AES-256-GCM under a key of CHANNEL_KEYS: nonce, tag, ciphertext.
  secret bytea not null,
  key_id text not null,
  former_secret_until timestamptz,
  state text not null default 'active',
  created_at timestamptz not null default now(),
  -- Since when no attempt has succeeded. Null: the last one has.
  failing_since timestamptz,
  -- Its last attempt took long or failed: the next ones must not keep those of others waiting.
  is_slow boolean not null default false,
  last_at timestamptz,
  last_is_success boolean,
  last_status integer,
  last_failure text,
  -- How many messages were given up since the last one that arrived: a single one proves nothing.
  lost_in_row integer not null default 0
);
create index channels_by_user on channels (user_id, id);
create index channels_by_key on channels (key_id);

create table deliveries (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels on delete cascade,
  message_id uuid not null default gen_random_uuid(),
  -- What it says, as inbox.kind and inbox.params; empty: it is a test.
  notifications jsonb not null,
  -- It takes in more until it is sent.
  is_open boolean not null default false,
  created_at timestamptz not null default now(),
  state text not null,
  state_at timestamptz not null default now(),
  -- When it is tried next; while it is being sent: when its holder's lease ends.
  due_at timestamptz,
  holder uuid,
  -- The receiver may have it already: a process that dies now does not know.
  handed_over boolean not null default false,
  attempts integer not null default 0,
  -- Attempts since somebody has ordered it, for the pauses between them.
  failures integer not null default 0,
  uncertain_attempts integer not null default 0,
  status integer,
  failure text,
  duration_ms integer,
  request text,
  answer text,
  check ((state in ('queued', 'sending')) = (due_at is not null)),
  check ((state = 'sending') = (holder is not null))
);
create index deliveries_due on deliveries (due_at) where due_at is not null;
create index deliveries_of_channel on deliveries (channel_id, id);
create index deliveries_by_age on deliveries (created_at);

-- Admin panels behind connected tunnels that do not respond, as the statistics have it from the edge.
create table origins (
  tunnel_id text primary key,
  -- That of the measurement.
  version bigint not null,
  -- When it was heard of last: what is old may be over.
  heard_at timestamptz not null default now(),
  -- Since when it does not respond; null: it does.
  unreachable_since timestamptz,
  -- When its owner was notified of that.
  lost_notified_at timestamptz,
  -- Since when it responds again; its owner is not notified of that yet.
  back_at timestamptz
);
create index origins_unreachable on origins (tunnel_id) where unreachable_since is not null;

-- Faults at the tunnel provider that an operator has to remove, as the worker has reported them last.
create table provider_faults (
  fault text primary key,
  since timestamptz not null,
  -- When administrators were notified of it.
  notified_at timestamptz,
  -- Since when it is gone; null: it lasts.
  gone_at timestamptz
);

create table provider_fault_reports (
  is_only boolean primary key default true check (is_only),
  version bigint not null default 0
);
insert into provider_fault_reports default values;

-- To whom emails went, for the limits of a recipient. It outlives the emails: a deleted account must not begin anew.
create table recipients (
  -- The email's cause.
  cause uuid primary key,
  kind text not null,
  -- SHA-256 of the address, without case and without what follows a “+”.
  address bytea not null,
  at timestamptz not null default now()
);
create index recipients_by_address on recipients (address, kind, at);
create index recipients_by_age on recipients (at);
