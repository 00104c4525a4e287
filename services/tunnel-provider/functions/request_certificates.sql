-- Has certificates ordered for those of the hosts that are the panel's or lead to a tunnel: the edge can ask for no other
-- name.
create or replace function request_certificates(hosts text[]) returns void language sql security definer
set search_path = tunnel_provider, pg_temp as $$
  insert into certificates (name)
  select distinct dns_records.name from dns_records join tunnels
    on dns_records.content = tunnels.id || '.cfargotunnel.com' and tunnels.deleted_at is null
  where dns_records.name = any(hosts) and dns_records.type = 'CNAME' and dns_records.proxied
  on conflict (name) do nothing;
  update certificates set attempt_at = now() where name = any(hosts) and attempt_at = 'infinity';
$$;
revoke all on function request_certificates(text[]) from public;
grant execute on function request_certificates(text[]) to edge_app;
