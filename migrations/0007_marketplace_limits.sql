-- Token buckets of sellers' accounts on marketplaces, shared by all processes; lost with a crash of the
-- database, and then full again. No write to them waits for the disk. The account is a hash and tells
-- nothing of the credentials; several cabinets may be of one. Both times in microseconds since 1970:
-- when the bucket is full, and before when the marketplace wants no call at all.
create unlogged table marketplace_buckets (
  account text collate "C" primary key,
  full_at bigint not null,
  held_until bigint not null
) with (fillfactor = 50);
