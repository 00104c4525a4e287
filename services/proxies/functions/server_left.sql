-- A removed server goes with the last of its proxies that is gone at the provider.
create or replace function server_left() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from servers where id = old.server_id and removed_at is not null
    and not exists (select 1 from proxies where server_id = old.server_id);
  return null;
end $$;

create or replace trigger server_left after delete on proxies for each row execute function server_left();
