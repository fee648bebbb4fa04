-- Goods that a picker did not find wait for a manager, until they are found after all or their order leaves.

drop index pick_misses_by_task;
alter table pick_misses drop constraint pick_misses_pkey;
alter table pick_misses drop column id;
alter table pick_misses
  add column id uuid not null default gen_random_uuid(),
  -- The place that was named: the box, or the location of loose units.
  add column location_id uuid,
  add column box_id uuid,
  add column outcome text check (outcome in ('look_elsewhere', 'correct_stock', 'remove_order',
    'tell_seller', 'found', 'order_left', 'reported_again')),
  add column ended_at timestamptz(3),
  add column ended_by text,
  add column comment text,
  -- Where a manager wants them to be looked for.
  add column to_location_id uuid,
  add column to_box_id uuid,
  add primary key (client_id, id),
  add check (num_nulls(outcome, ended_at, ended_by) in (0, 3)),
  add check (location_id is null or box_id is null),
  add check (num_nulls(to_location_id, to_box_id) > 0),
  add check (outcome = 'look_elsewhere' or num_nulls(to_location_id, to_box_id) = 2);

-- Of the earlier ones the last of an order that still needs the goods waits.
update pick_misses m set ended_at = m.at, ended_by = m.actor, outcome = case
    when not exists (
      select from picking_tasks t
      join orders o on o.client_id = t.client_id and o.shipment_id = t.shipment_id
      where t.client_id = m.client_id and t.id = m.task_id and t.status = 'OPEN' and o.id = m.order_id
    ) then 'order_left'
    when not exists (
      select from order_lines l where l.client_id = m.client_id and l.order_id = m.order_id
        and l.barcode = m.barcode and l.picked < l.quantity
    ) then 'found'
    when exists (
      select from pick_misses n where n.client_id = m.client_id and n.order_id = m.order_id
        and n.barcode = m.barcode and (n.at, n.id) > (m.at, m.id)
    ) then 'reported_again' end
  where not exists (
      select from picking_tasks t
      join orders o on o.client_id = t.client_id and o.shipment_id = t.shipment_id
      join order_lines l on l.client_id = o.client_id and l.order_id = o.id
      where t.client_id = m.client_id and t.id = m.task_id and t.status = 'OPEN' and o.id = m.order_id
        and l.barcode = m.barcode and l.picked < l.quantity)
    or exists (
      select from pick_misses n where n.client_id = m.client_id and n.order_id = m.order_id
        and n.barcode = m.barcode and (n.at, n.id) > (m.at, m.id));

create index pick_misses_by_id on pick_misses (id);
create index pick_misses_newest on pick_misses (client_id, at desc, id desc);
create index pick_misses_by_task on pick_misses (client_id, task_id, order_id);
create index pick_misses_by_order on pick_misses (client_id, order_id);
create index pick_misses_waiting on pick_misses (client_id, at desc, id desc) where outcome is null;
-- One miss of the same goods waits at a time.
create unique index pick_misses_open on pick_misses (client_id, order_id, barcode) where outcome is null;
