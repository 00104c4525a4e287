-- The API key that acted in the actor's name; null: a session did. The name goes with its owner's.
alter table audit add column actor_key_id bigint, add column actor_key_name text;
