-- A changed policy ends all visits, and what was requested under it.
create or replace function access_policy_renewed() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from visits where proxy_uuid = new.proxy_uuid and policy_version <> new.version;
  delete from access_codes where proxy_uuid = new.proxy_uuid;
  delete from access_email_codes where proxy_uuid = new.proxy_uuid;
  return null;
end $$;

create or replace trigger access_policy_renewed after update of version on access_policies
  for each row execute function access_policy_renewed();
