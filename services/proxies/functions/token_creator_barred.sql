-- Tokens and enrolment keys go with their creator’s account, and when it is suspended.
create or replace function token_creator_barred() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from service_tokens where created_by = new.user_id;
  delete from enrolment_keys where user_id = new.user_id;
  return null;
end $$;

create or replace trigger token_creator_barred after update on users
  for each row when (new.closed and not old.closed or new.suspended_at is not null and old.suspended_at is null)
  execute function token_creator_barred();
