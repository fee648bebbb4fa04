-- As before, but EXCEPT finds whether a statement changed what is counted: new rows that are not among the old ones. A join of both
-- compared each with each: a statement that changed a hundred thousand orders, and nothing that is counted, took hours.
create or replace function tally_orders() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_order_tallies(array(
      select (client_id, created_at, marketplace, status, sorted, delivered, sorted_at, delivered_at, 1)::order_count
        from new_rows where not observed));
  elsif tg_op = 'DELETE' then
    perform add_to_order_tallies(array(
      select (client_id, created_at, marketplace, status, sorted, delivered, sorted_at, delivered_at, -1)::order_count
        from old_rows where not observed));
  elsif exists (
    select client_id, id, created_at, marketplace, status, sorted, delivered, sorted_at, delivered_at, observed from new_rows
    except
    select client_id, id, created_at, marketplace, status, sorted, delivered, sorted_at, delivered_at, observed from old_rows
  ) then
    perform add_to_order_tallies(array(
      select (client_id, created_at, marketplace, status, sorted, delivered, sorted_at, delivered_at, 1)::order_count
        from new_rows where not observed
      union all
      select (client_id, created_at, marketplace, status, sorted, delivered, sorted_at, delivered_at, -1)::order_count
        from old_rows where not observed));
  end if;
  return null;
end $$;
