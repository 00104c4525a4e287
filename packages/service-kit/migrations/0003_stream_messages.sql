-- How many messages it held: it keeps the last of every row, so fewer mean that it was purged.
alter table stream_seen add column messages bigint not null default 0;
