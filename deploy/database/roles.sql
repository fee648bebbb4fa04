-- As a superuser, once, in the new database: createdb --encoding=UTF8 --template=template0 sklad, then psql -d sklad -f roles.sql.
-- sklad_owner changes tables, for "sklad migrate" and "sklad restore"; sklad is what the service runs as: rows only. Set their passwords with \password.
-- A second database of the same server, such as one for a restore on trial, has both already.
do $$ declare name text; begin
  foreach name in array array['sklad_owner', 'sklad'] loop
    if not exists (select from pg_roles where rolname = name) then execute format('create role %I login', name); end if;
  end loop;
end $$;
-- Its statements are short: compiling one takes longer than it saves.
alter role sklad set jit = off;
grant create, usage on schema public to sklad_owner;
grant usage on schema public to sklad;
revoke create on schema public from public;
