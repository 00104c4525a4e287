-- Those of the tunnels that have no connection any more are down from now on. The caller has locked their rows.
create or replace function mark_inactive(tunnel_ids uuid[]) returns void begin atomic
  update tunnels set conns_active_at = null, conns_inactive_at = now()
  where id = any(tunnel_ids) and conns_active_at is not null
    and not exists (select 1 from live_connections where tunnel_id = tunnels.id);
end;
