-- Who sent it, as NATS knows them: what is kept of each is bounded. Empty: kept before that was noted.
alter table audit_dead_letters add column sender text not null default '';
