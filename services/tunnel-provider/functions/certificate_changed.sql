-- Edges load a changed certificate, and stop waiting for one that failed. The API orders what is asked for.
create or replace function certificate_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('edge', 'certificate ' || new.name);
  perform pg_notify('certificates', new.name);
  return null;
end $$;

create or replace trigger certificate_added after insert on certificates
  for each row execute function certificate_changed();

create or replace trigger certificate_changed after update of chain, failures, attempt_at on certificates
  for each row when (old.chain is distinct from new.chain or old.failures <> new.failures or old.attempt_at <> new.attempt_at)
  execute function certificate_changed();
