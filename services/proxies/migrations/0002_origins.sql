-- Which admin panel is behind the tunnel and how connectors speak to it. The previous version inserts without them; what it has
-- stored as applied is what the defaults result in, so nothing changes at the provider.
alter table proxies
  add column panel text not null default 'own',
  add column origin_protocol text not null default 'http',
  add column verify_certificate boolean not null default true,
  add column origin_server_name text,
  add column http_host_header text,
  add column http2_origin boolean not null default false;
