-- The tables that every service has in its own schema.

-- Messages of a transaction. After its COMMIT they are relayed to the bus and deleted.
create table outbox (
  id bigint generated always as identity primary key,
  subject text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  -- The request that wrote the message: its log lines and its trace go on where the message is received.
  request_id text,
  traceparent text,
  -- JetStream stores no second message with an id that it knows: ids that others could guess would let them suppress messages.
  message_id uuid not null default gen_random_uuid()
);

-- When the event stream to which every row was published last had been created. Another date means that the stream was lost.
create table stream_seen (
  created text primary key,
  -- How many messages it held: it keeps the last of every row, so fewer mean that it was purged.
  messages bigint not null default 0
);

-- What creates with an Idempotency-Key have made. The reference is the row's; no input is kept, only its hash.
create table idempotency_keys (
  user_id bigint not null,
  call text not null,
  key text not null,
  input_hash bytea not null,
  reference text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, call, key)
);
create index idempotency_keys_by_reference on idempotency_keys (reference);
