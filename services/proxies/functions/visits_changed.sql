-- Has proxies tell those who may end a proxy's visits that these have changed, as the change is committed. Only a hint: every role may notify.
create or replace function visits_changed() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  perform pg_notify('visits', coalesce(new.proxy_uuid, old.proxy_uuid)::text);
  return null;
end $$;

create or replace trigger visits_changed after insert or update or delete on visits
  for each row execute function visits_changed();
