alter table people add column wants_email boolean not null default false;

-- The email that still takes in what comes into an inbox.
create index mails_open on mails (user_id) where kind = 'notifications' and state = 'queued' and attempts = 0;
