-- Its triggers also fire for roles that have another search path, a superuser for example.
alter function access_policy_changed() set search_path = proxies, pg_temp;
