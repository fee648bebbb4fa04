-- Users have names, by which people know them. A user without one is shown by the login.

alter table staff_users
  add column name text check (length(name) between 1 and 100),
  add column shown_name text not null generated always as (coalesce(name, login)) stored;

alter table seller_users
  add column name text check (length(name) between 1 and 100),
  add column shown_name text not null generated always as (coalesce(name, login)) stored;
