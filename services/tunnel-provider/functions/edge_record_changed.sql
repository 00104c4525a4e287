-- Notifies every edge of a name that leads elsewhere, as the change is committed.
create or replace function edge_record_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform pg_notify('edge', 'host ' || old.name); end if;
  if tg_op <> 'DELETE' then perform pg_notify('edge', 'host ' || new.name); end if;
  return null;
end $$;

create or replace trigger edge_record_changed after insert or update or delete on dns_records
  for each row execute function edge_record_changed();
