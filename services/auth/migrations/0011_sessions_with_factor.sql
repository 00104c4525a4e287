-- Whether the session was opened with a second factor, has proven one, or has set one up.
alter table sessions add column with_factor boolean not null default false;
-- With an app the password alone opens none.
update sessions set with_factor = true from authenticators
where authenticators.user_id = sessions.user_id and confirmed_at <= sessions.created_at;
