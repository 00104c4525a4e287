-- From when to when, in which time zone, the user gets no emails. Null: no such time.
alter table people add column quiet_hours jsonb;
