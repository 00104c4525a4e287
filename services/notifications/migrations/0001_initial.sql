-- What is known of users: their names, for the log. Rows of deleted users stay as tombstones without a name.
create table people (
  user_id bigint primary key,
  username text,
  -- Case-folded, for the search.
  username_key text,
  version integer not null
);
create index people_containing on people using gin (username_key gin_trgm_ops);
create index people_starting on people (username_key text_pattern_ops);

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

-- When the database was restored: emails whose cause is older may have been sent before, and wait for an administrator.
create table restored (
  at timestamptz not null
);
