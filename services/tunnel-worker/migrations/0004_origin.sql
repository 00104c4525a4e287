-- On whose behalf a proxy was last woken: the run's log lines and its trace belong to that request.
alter table leases add request_id text, add traceparent text;
