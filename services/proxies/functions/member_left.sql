-- Who is no member any more, or for another time, has to pass again. Codes first: that waits for one that is just redeemed, whose visit then
-- ends too.
create or replace function member_left() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from access_codes using proxies
    where proxies.id = old.proxy_id and access_codes.proxy_uuid = proxies.uuid and access_codes.user_id = old.user_id;
  delete from visits using proxies
    where proxies.id = old.proxy_id and visits.proxy_uuid = proxies.uuid and visits.user_id = old.user_id
      and visits.methods <> '{owner}';
  return null;
end $$;

create or replace trigger member_left after delete or update of member_until, role, user_id on members
  for each row execute function member_left();
