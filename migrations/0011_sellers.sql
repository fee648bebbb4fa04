-- Whose data a cabinet has, where the credentials tell: those of another seller begin anew.
alter table cabinet_syncs add seller text;
-- What could not be read of the cards at the last walk; null: all of them were.
alter table cabinet_syncs add cards_failure text;
