-- The edge could not open the public port: another program has it. Proxies shows that to the owner.
alter table port_connections add column is_closed boolean not null default false;
