-- Staff: users of the warehouse, their tokens and sessions.

create table staff_users (
  id uuid primary key,
  login text collate "C" not null unique, -- lower case
  role text not null check (role in ('administrator', 'manager', 'worker')),
  password_hash text, -- null: works with tokens only
  active boolean not null default true,
  created_at timestamptz(3) not null
);

create table staff_tokens (
  hash bytea primary key,
  id uuid not null unique,
  user_id uuid not null references staff_users,
  name text not null,
  preview text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index staff_tokens_by_user on staff_tokens (user_id, created_at, id);

create table staff_sessions (
  hash bytea primary key,
  user_id uuid not null references staff_users,
  created_at timestamptz(3) not null,
  used_at timestamptz(3) not null
);
create index staff_sessions_by_user on staff_sessions (user_id);
create index staff_sessions_by_use on staff_sessions (used_at);

-- Where a login has signed in from: browsers and addresses, as hashes of them with the login.
create table staff_places (
  place bytea primary key,
  user_id uuid not null references staff_users,
  used_at timestamptz(3) not null
);
create index staff_places_by_use on staff_places (used_at);

-- Failed attempts to sign in, by login and address; unlogged like rate_buckets.
create unlogged table sign_in_failures (
  subject text primary key,
  failures integer not null,
  last_at timestamptz(3) not null
);
