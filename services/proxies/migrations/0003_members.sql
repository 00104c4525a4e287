-- Members of proxies, and invitations to become one.
create table members (
  id bigint generated always as identity primary key,
  proxy_id bigint not null references proxies on delete cascade,
  -- Null: an invitation for the first who opens its link.
  user_id bigint,
  role text not null,
  -- When the membership ends by itself.
  member_until timestamptz,
  created_at timestamptz not null default now(),
  -- The member who has invited them; null: the owner or an administrator has. An invitation is good while they could make it.
  invited_by bigint,
  -- Null: an invitation.
  joined_at timestamptz,
  -- Until when an invitation may be accepted.
  invited_until timestamptz,
  -- Where an open invitation is sent by email.
  email text,
  -- SHA-256 of each secret that the link of an invitation was made with: an email that is sent again has a new one.
  token_hashes bytea[] not null default '{}'
);
create unique index members_of_proxy on members (proxy_id, user_id);
create index members_by_token on members using gin (token_hashes);
create index members_by_user on members (user_id);
create index members_ending on members (least(member_until, invited_until))
  where member_until is not null or invited_until is not null;

-- The users who are members, copied so that a proxy's snapshot needs its row alone.
alter table proxies add column member_ids jsonb not null default '[]';
