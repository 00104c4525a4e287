alter table users
  add column suspended_at timestamptz,
  add column suspension_reason text,
  add check ((suspended_at is null) = (suspension_reason is null));
