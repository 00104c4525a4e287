-- What an operator has to fix at the provider: the last fault of each operation that has one.
create table troubles (
  operation text primary key,
  fault text not null,
  -- The provider's own words.
  detail text not null,
  since timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
