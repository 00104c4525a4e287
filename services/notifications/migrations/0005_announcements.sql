create table announcements (
  id bigint generated always as identity primary key,
  level text not null,
  title_de text not null,
  text_de text not null,
  title_en text not null,
  text_en text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- It has begun and goes into inboxes in the order of their users: up to this one it has. Null: into all there are.
  notified_up_to bigint default 0
);
create index announcements_to_begin on announcements (starts_at) where notified_up_to is not null;
create index announcements_by_end on announcements (ends_at);
create index inbox_announced on inbox (((params ->> 'announcementId')::bigint)) where kind = 'announcement';
