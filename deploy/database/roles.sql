-- As a superuser, once, in the new database: createdb --encoding=UTF8 --template=template0 sklad, then psql -d sklad -f roles.sql.
-- sklad_owner changes tables, for "sklad migrate" and "sklad restore"; sklad is what the service runs as: rows only. Set their passwords with \password.
create role sklad_owner login;
create role sklad login;
-- Its statements are short: compiling one takes longer than it saves.
alter role sklad set jit = off;
grant create, usage on schema public to sklad_owner;
grant usage on schema public to sklad;
revoke create on schema public from public;
