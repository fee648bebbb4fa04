-- Photos as evidence: of receipts, returns, orders, counts and entries of the stock ledger.

create table photos (
  client_id uuid not null references clients,
  id uuid not null, -- made by the device that took the photo
  kind text not null check (kind in ('receipt', 'return', 'order', 'count', 'stock_entry')),
  object_id text collate "C" not null, -- an id, or the number of the stock entry
  scan_id text, -- the scan of the unit that it shows
  hash bytea not null, -- SHA-256 of the bytes
  bytes bytea not null check (octet_length(bytes) between 1 and 2097152), -- JPEG, without anything that tells of the device
  taken_at timestamptz(3) not null, -- by the clock of the device, never later than created_at
  created_at timestamptz(3) not null,
  created_by text not null,
  keep_until timestamptz(3) not null,
  primary key (client_id, id),
  -- The same photo of the same object is one photo.
  unique (client_id, kind, object_id, hash)
);
-- Photos are compressed already.
alter table photos alter column bytes set storage external;
create index photos_by_time on photos (client_id, created_at);
create index photos_until on photos (keep_until);

-- Finds the return of a unit that was scanned without naming a batch, of any client.
create index return_scans_by_scan on return_scans (scan_id) where of_day;
