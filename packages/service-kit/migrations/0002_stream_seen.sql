-- When the stream of events we last told everything to was made: another one has lost what ours held.
create table stream_seen (
  created text primary key
);
