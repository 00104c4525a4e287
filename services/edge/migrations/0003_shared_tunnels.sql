-- Whether the edge judges visitors of a tunnel by the proxy that their name is of: the previous version knows one proxy for each tunnel.
alter table edges add column shares_tunnels boolean not null default false;
grant select (seen_at, shares_tunnels) on edges to proxies_app;
