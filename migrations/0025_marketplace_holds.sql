-- When a hold was made, in microseconds since 1970. After the database's clock went back, such a moment is ahead: then the
-- hold lasts as long as it was meant to, and not until the clock is there again.
alter table marketplace_buckets add column held_at bigint not null default 0;
