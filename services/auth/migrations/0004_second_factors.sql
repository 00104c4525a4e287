-- The authenticator app (TOTP) of each user who has one.
create table authenticators (
  user_id bigint primary key references users on delete cascade,
  -- AES-256-GCM under a key of FACTOR_KEYS: nonce, tag, ciphertext.
  secret bytea not null,
  key_id text not null,
  created_at timestamptz not null default now(),
  -- Null: its secret was shown, and no code has confirmed yet that an app has it.
  confirmed_at timestamptz,
  -- The time step of the last code that counted: no code of it or of an earlier one counts again.
  last_step bigint,
  last_used_at timestamptz,
  -- The cause of the email that announced it: the link in that email removes it again.
  announced_by uuid
);
create index authenticators_by_key on authenticators (key_id);

-- Codes that replace the app's code, once each.
create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  -- SHA-256 of 80 random bits.
  hash bytea not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- Wrong codes in all calls that take one.
create table wrong_codes (
  user_id bigint not null references users on delete cascade,
  -- The known browser that they came from; empty: all others together.
  device text not null,
  count integer not null,
  window_ends_at timestamptz not null,
  primary key (user_id, device)
);
create index wrong_codes_by_end on wrong_codes (window_ends_at);

-- Sign-ins with the right password that still need a code.
create table sign_in_challenges (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  -- The password that was right, as it is stored: with another one the challenge is void.
  password_hash text not null,
  expires_at timestamptz not null
);
create index sign_in_challenges_by_user on sign_in_challenges (user_id);
create index sign_in_challenges_by_expiry on sign_in_challenges (expires_at);
