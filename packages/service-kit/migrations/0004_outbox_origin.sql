-- On whose behalf a message was written: its log lines and its trace go on where it is received.
alter table outbox add request_id text, add traceparent text;
