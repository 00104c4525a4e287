-- What each user has taken or was given. A user without a row has no plan. Rows of deleted users stay as
-- tombstones, so that a late order cannot bring them back.
create table subscriptions (
  user_id bigint primary key,
  tier text,
  proxy_limit integer not null default 0,
  expires_at timestamptz,
  -- The newest administrator's order it contains, by the user's version.
  command_version integer not null default 0,
  version integer not null default 0,
  deleted boolean not null default false
);
