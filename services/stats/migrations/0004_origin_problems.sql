-- Why the panel behind a tunnel does not respond as it should, and when an edge has found that out.
alter table origins
  add column problem text,
  add column problem_at timestamptz(3);
