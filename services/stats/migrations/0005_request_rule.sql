-- The rule of the access policy that has refused a request, counted from 1.
alter table requests add column rule smallint;
