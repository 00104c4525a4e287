-- Names that a proxy had. For some days nobody but its former owner gets them: browsers still have cookies for them, and people links.
create table reserved_hostnames (
  hostname text primary key,
  -- As of `hostnames`.
  skeleton text not null
    generated always as (replace(translate(split_part(hostname, '.', 1), '01', 'ol'), 'm', 'rn')) stored,
  user_id bigint not null,
  released_at timestamptz not null default now()
);
create index reserved_hostnames_by_skeleton on reserved_hostnames (skeleton);
create index reserved_hostnames_of_user on reserved_hostnames (user_id, released_at);
