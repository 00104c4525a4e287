-- When the session's user last signed in or made a step-up. A session begins with a sign-in.
alter table sessions add column proved_at timestamptz not null default now();
update sessions set proved_at = created_at;
