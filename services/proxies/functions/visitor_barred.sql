-- A suspended or deleted user visits nothing. Codes first, as in `member_left`.
create or replace function visitor_barred() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from access_codes where user_id = new.user_id;
  delete from visits where user_id = new.user_id;
  return null;
end $$;

create or replace trigger visitor_barred after update on users
  for each row when (new.closed and not old.closed or new.suspended_at is not null and old.suspended_at is null)
  execute function visitor_barred();
