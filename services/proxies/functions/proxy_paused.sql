-- As when its policy changes: every edge looks at the proxy’s names anew, and ends what visitors have open there.
create or replace trigger proxy_paused after update of paused_at, pause_message on proxies
  for each row when (old.paused_at is distinct from new.paused_at or old.pause_message is distinct from new.pause_message)
  execute function access_policy_changed('uuid');
