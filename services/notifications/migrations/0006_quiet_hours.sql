-- From when to when, and by which time zone, they want no emails. Null: they always do.
alter table people add column quiet_hours jsonb;
