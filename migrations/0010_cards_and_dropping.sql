-- Nothing was ever read from these.
alter table marketplace_cards drop column nm_id, drop column honest_mark;

-- What was not found stays on record where its task has gone with an empty shipment.
alter table pick_misses alter task_id drop not null;
