-- A user has 100 sessions at most from now on; a sign-in ends what is beyond.
delete from sessions where id in (
  select id from (
    select id, row_number() over (partition by user_id order by last_used_at desc, id) as number from sessions
  ) as ranked where number > 100);
