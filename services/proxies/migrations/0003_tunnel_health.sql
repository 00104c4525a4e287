alter table proxies
  -- What the provider said of the applied tunnel, and since when; null without a tunnel.
  add tunnel_health text,
  add tunnel_health_at timestamptz;
update proxies set tunnel_health = 'inactive' where applied is not null;
