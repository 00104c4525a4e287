-- Registrations of the last hour, by network: when they become many, each takes a proof of work.
create table registrations (
  network text not null,
  registered_at timestamptz not null default now()
);
create index registrations_by_network on registrations (network, registered_at);

-- What browsers compute for: each counts once, for its network.
create table registration_challenges (
  challenge text primary key,
  network text not null,
  expires_at timestamptz not null
);
