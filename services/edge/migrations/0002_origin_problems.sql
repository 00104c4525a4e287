-- Why the panel behind a tunnel does not respond as it should, and when that was found out.
alter table origins
  add column problem text,
  add column problem_at timestamptz;
