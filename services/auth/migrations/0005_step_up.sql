-- When the session's user last signed in or made a step-up. Sessions that are open already are as old as their sign-in.
alter table sessions add column proved_at timestamptz not null default now();
update sessions set proved_at = created_at;
