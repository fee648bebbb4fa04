-- Orders that are taken out of a shipment which the marketplace has, too, are asked for like the rest.
alter table cabinet_tasks
  drop constraint cabinet_tasks_kind_check,
  add check (kind in ('create', 'fill', 'remove', 'deliver'));
