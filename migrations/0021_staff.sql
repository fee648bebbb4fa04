-- Staff: users of the warehouse, their tokens and sessions.

create table staff_users (
  id uuid primary key,
  login text collate "C" not null unique, -- lower case
  role text not null check (role in ('administrator', 'manager', 'worker')),
  password_hash text, -- null: works with tokens only
  pin_hash text, -- null: does not work on enrolled devices
  pin_failures integer not null default 0 check (pin_failures >= 0), -- tries since the last right one
  active boolean not null default true,
  created_at timestamptz(3) not null
);

-- The warehouses that a user works in; a user without any works in all.
create table staff_user_warehouses (
  user_id uuid not null references staff_users,
  warehouse_code text not null references warehouses,
  primary key (user_id, warehouse_code)
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

-- Handhelds. A device waits for its one-time code, is enrolled, and may be revoked.
create table staff_devices (
  id uuid primary key,
  name text not null,
  code_hash bytea unique, -- until the enrolment
  code_expires_at timestamptz(3) not null,
  secret_hash bytea unique, -- of the device's cookie, from the enrolment on
  created_at timestamptz(3) not null,
  enrolled_at timestamptz(3),
  last_used_at timestamptz(3),
  last_user_id uuid references staff_users,
  revoked_at timestamptz(3),
  -- Who added it, so that managers of other warehouses do not see it before anybody has worked on it.
  added_by uuid references staff_users,
  check ((secret_hash is null) = (enrolled_at is null)),
  check (code_hash is null or (enrolled_at is null and revoked_at is null))
);
create index staff_devices_by_time on staff_devices (created_at desc, id desc);

create table staff_sessions (
  hash bytea primary key,
  user_id uuid not null references staff_users,
  device_id uuid references staff_devices, -- of a session that a PIN opened
  created_at timestamptz(3) not null,
  used_at timestamptz(3) not null
);
create index staff_sessions_by_user on staff_sessions (user_id);
create index staff_sessions_by_device on staff_sessions (device_id) where device_id is not null;
create index staff_sessions_by_use on staff_sessions (used_at);
