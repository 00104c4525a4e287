-- The server whose connector a key installs; null: the key says nothing of it, or names a proxy.
alter table enrolment_keys add column server_uuid uuid references servers (uuid) on delete cascade;
create index enrolment_keys_by_server on enrolment_keys (server_uuid) where server_uuid is not null;
