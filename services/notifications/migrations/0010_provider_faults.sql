-- Faults at the tunnel provider that an operator has to remove, as the worker has reported them last.
create table provider_faults (
  fault text primary key,
  since timestamptz not null,
  -- When administrators were notified of it.
  notified_at timestamptz,
  -- Since when it is gone; null: it lasts.
  gone_at timestamptz
);
create table provider_fault_reports (
  is_only boolean primary key default true check (is_only),
  version bigint not null default 0
);
insert into provider_fault_reports default values;
