-- What a transaction wants to tell others; relayed to the bus and then deleted.
create table outbox (
  id bigint generated always as identity primary key,
  subject text not null,
  payload jsonb not null,
  created_at timestamptz not null default now()
);
