-- Which rebuild saw a row at its owner, and when an event last changed it.
alter table counted add column run uuid, add column changed_at timestamptz not null default now();

-- Whether the totals are right. While they are being rebuilt, or events were lost, they are not known.
create table totals_state (
  known boolean not null,
  -- The latest rebuild, when it began and when it last did something.
  run uuid,
  started_at timestamptz,
  alive_at timestamptz
);
insert into totals_state (known) values (true);
