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
