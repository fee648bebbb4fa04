-- What may not be changed while a marketplace is asked for it.
create index cabinet_tasks_of_shipment on cabinet_tasks (client_id, shipment_id)
  where state = 'asked';
-- From when on the marketplace may have been asked; null: it has not.
alter table cabinet_tasks add tried_at timestamptz(3);
-- When orders that ended were last asked about.
alter table cabinet_syncs add ended_at timestamptz(3);
