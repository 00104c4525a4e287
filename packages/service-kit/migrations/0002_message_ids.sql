-- JetStream stores no second message with an id that it knows: ids that others could guess would let them suppress messages.
alter table outbox add column message_id uuid not null default gen_random_uuid();
