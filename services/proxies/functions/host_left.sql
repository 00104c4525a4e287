-- A name that leaves a proxy ends the codes that would be redeemed there: the next one who has it could receive them.
create or replace function host_left() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  delete from access_codes where host = to_jsonb(old) ->> tg_argv[0];
  delete from access_email_codes where host = to_jsonb(old) ->> tg_argv[0];
  return null;
end $$;

create or replace trigger domain_deleted after delete on domains for each row execute function host_left('host');

create or replace trigger domain_left after update of served, removed_at, proxy_id, host on domains
  for each row when (old.served and (not new.served or new.removed_at is not null or new.proxy_id <> old.proxy_id or new.host <> old.host))
  execute function host_left('host');

create or replace trigger hostname_left after delete or update of proxy_uuid on hostnames
  for each row execute function host_left('hostname');
