-- Tables that grow for years. By default vacuum waits until a fifth of a table is dead, or new, and the planner's figures
-- until a tenth has changed: of a hundred million rows that is much work at once, and late. These tables are looked
-- after at two hundredths, so each pass stays short.
do $$
declare
  grown regclass;
begin
  for grown in
    select c.oid from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and (
      c.relname in ('count_scans', 'events', 'location_scans', 'marking_codes', 'milestone_tallies', 'movement_tallies', 'order_facts',
        'order_lines', 'order_tallies', 'orders', 'pack_checks', 'picks', 'print_jobs', 'receipt_scans', 'remote_commands', 'return_lines',
        'return_scans', 'staff_journal', 'stock_entries', 'stock_movements', 'storage_scans', 'unit_marks', 'webhook_attempts',
        'webhook_deliveries')
      or c.oid in (select inhrelid from pg_inherits where inhparent = 'order_status_history'::regclass))
  loop
    execute format('alter table %s set (autovacuum_vacuum_scale_factor = 0.02,
      autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', grown);
  end loop;
end $$;
