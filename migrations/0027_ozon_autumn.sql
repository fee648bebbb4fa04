-- How far the look back for shipments of the time before the first run has come, where it is made in parts; null: it is over, or has
-- not begun.
alter table cabinet_syncs add column shipments_back_to timestamptz(3);

-- What an order costs when it is handed over late, in steps: [{"until": moment or null, "charge": "50", "percent": 1, "currency": "RUB"}].
alter table order_facts add column lateness_costs jsonb; -- null: the marketplace names none

-- The scheme of an order that is not of ours; null: it is left out because of its warehouse.
alter table left_out_orders add column scheme text;
