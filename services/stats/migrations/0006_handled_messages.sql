-- Which messages of a stream were handled: one that leaves the stream otherwise was lost.
create table handled_messages (
  stream text primary key,
  -- When NATS made the stream; null until it was looked at.
  created text,
  -- All before it were handled, or are reported as lost.
  floor bigint not null default 1,
  handled int8multirange not null default '{}'
);
