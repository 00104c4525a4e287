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
