alter table origins
  -- Since when it does not respond: the first request after its last response that did not reach it. Null: it responds.
  add column unreachable_since timestamptz(3),
  -- Whether notifications knows that it does not respond.
  add column is_reported boolean not null default false;
