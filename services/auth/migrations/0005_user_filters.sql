-- The few: administrators and the suspended. Of everybody else there are so many that the orders' own indexes do.
create index users_administrators_by_name on users (username collate natural_order, id) where is_admin;
create index users_suspended on users (id) where suspended_at is not null;
create index users_suspended_by_name on users (username collate natural_order, id)
  where suspended_at is not null;
