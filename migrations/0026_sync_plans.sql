-- When the next run was planned. After the database's clock went back, such a moment is ahead: then the run is due at once,
-- and not when the clock is there again.
alter table cabinet_syncs add column planned_at timestamptz;
