-- When the operator's command made a backup; it inserts the row itself, whether services run or not.
create table backups (
  made_at timestamptz primary key
);
