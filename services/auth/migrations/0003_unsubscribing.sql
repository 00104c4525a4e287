-- The secret with which emails to this address say how to end those about notifications. It can do nothing else, and is kept
-- as it is because every email holds the same.
alter table email_addresses add column unsubscribe_token text unique;
