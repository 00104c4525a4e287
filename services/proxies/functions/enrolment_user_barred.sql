-- Enrolment keys go with their user’s account, and when it is suspended.
create or replace function enrolment_user_barred() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from enrolment_keys where user_id = new.user_id;
  return null;
end $$;

create or replace trigger enrolment_user_barred after update on users
  for each row when (new.closed and not old.closed or new.suspended_at is not null and old.suspended_at is null)
  execute function enrolment_user_barred();
