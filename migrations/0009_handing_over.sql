-- What may not be changed while a marketplace is asked for it.
create index cabinet_tasks_of_shipment on cabinet_tasks (client_id, shipment_id)
  where state = 'asked';
