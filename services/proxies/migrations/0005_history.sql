-- Since when a version holds: history is made of it.
alter table proxies add column changed_at timestamptz not null default now();

-- History begins with what is true now.
insert into outbox (subject, payload)
select 'measured.proxies', jsonb_build_object('kind', 'state', 'state', jsonb_build_object(
  'proxyId', uuid, 'version', version, 'at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'status', status, 'tunnelId', applied ->> 'tunnelId', 'deleted', removed_at is not null))
from proxies order by id;
