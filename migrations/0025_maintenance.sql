-- The moment by which old data is dropped (operations/maintenance/retention-clock.ts): one row. It follows the clock in steps of an
-- hour, so a clock that jumps ahead ends nothing before somebody has set it right.
create table retention_clock (
  one boolean primary key default true check (one),
  reached timestamptz(3) not null
);
