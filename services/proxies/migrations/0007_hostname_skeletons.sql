-- What a label looks like, as `labelSkeleton` in the contracts says: nobody gets one that looks like another's.
alter table hostnames add column skeleton text not null
  generated always as (replace(translate(split_part(hostname, '.', 1), '01', 'ol'), 'm', 'rn')) stored;
create index hostnames_by_skeleton on hostnames (skeleton);
