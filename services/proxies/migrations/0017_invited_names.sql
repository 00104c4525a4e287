-- Whom an open invitation by name names, as its inviter wrote it, and the key by which names are the same. Null: it is no such invitation.
-- With a user_id somebody had that name then, and they alone may accept; without one nobody had. Its inviter does not see which.
alter table members add column invited_name text;
alter table members add column invited_key text;
update members set invited_name = coalesce(username, '?'), invited_key = coalesce(lower(username), members.id::text)
  from members as open left join quotas using (user_id)
  where open.id = members.id and members.joined_at is null and members.user_id is not null;
drop index members_of_proxy;
create index members_of_proxy on members (proxy_id);
create unique index members_joined on members (proxy_id, user_id) where joined_at is not null;
create unique index members_invited on members (proxy_id, invited_key) where joined_at is null;
