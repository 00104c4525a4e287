-- What a row was before its last event: the statement that takes an event over tells the difference.
alter table counted add column was_present boolean not null default false,
  add column was_active boolean not null default false;
