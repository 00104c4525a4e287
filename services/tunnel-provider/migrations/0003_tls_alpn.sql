-- How an edge answers: on port 80 (http-01), or on port 443 by `acme-tls/1` (tls-alpn-01).
alter table acme_challenges add column type text not null default 'http-01';
grant select (type, created_at) on acme_challenges to edge_app;

-- The challenge of the next order: the one that gave the certificate, or the other one after it failed. Null: what
-- works for other names.
alter table certificates add column challenge text;
