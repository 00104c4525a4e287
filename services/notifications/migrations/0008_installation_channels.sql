-- Channels without a user are those of the installation: they get what happens to all users.
alter table channels alter column user_id drop not null;
-- How many messages were given up since the last one that arrived: a single one proves nothing.
alter table channels add column lost_in_row integer not null default 0;
