-- What an enrolled device is for. A station that prints and a wall screen work without a person, in one warehouse.
alter table staff_devices
  add column purpose text not null default 'HANDHELD' check (purpose in ('HANDHELD', 'STATION', 'SCREEN')),
  add column warehouse_code text references warehouses (code),
  add check ((purpose = 'HANDHELD') = (warehouse_code is null));

-- A badge names its person at sign-in; the PIN proves it. A new badge takes the place of the one before.
alter table staff_users
  add column badge_hash bytea unique,
  add column badge_issued_at timestamptz(3),
  add check ((badge_hash is null) = (badge_issued_at is null));
