-- Authenticator apps that were given a secret and that no code has confirmed yet. Each goes with the session that asked for it.
create table pending_authenticators (
  session_id uuid primary key references sessions on delete cascade,
  user_id bigint not null references users on delete cascade,
  -- As in authenticators.
  secret bytea not null,
  key_id text not null,
  created_at timestamptz not null default now()
);
create index pending_authenticators_by_user on pending_authenticators (user_id);
create index pending_authenticators_by_key on pending_authenticators (key_id);
create index pending_authenticators_by_age on pending_authenticators (created_at);

-- They belonged to no session.
delete from authenticators where confirmed_at is null;
