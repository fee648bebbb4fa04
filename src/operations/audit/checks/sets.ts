import { goodsNow } from '../../../warehouse/catalogue/merged-products.ts'
import { type Check, check } from '../check.ts'

/** Sets: what they are made of, the documents by which parts become sets, and the parts that orders take in their place. */
export const setChecks: readonly Check[] = [
  check(
    'a set has no sets as parts',
    (db, own) => db`
      select s.client_id, s.set_barcode as object, format('has the set %s as a part', s.barcode) as what
      from set_parts s
      where ${own('s')} and (s.barcode = s.set_barcode or exists (
        select from set_parts n where n.client_id = s.client_id and n.set_barcode = s.barcode))`,
  ),
  check(
    'an assembly moves its sets, and for each of them the same parts the other way',
    (db, own) => db`
      select client_id, format('assembly %s', id) as object, case
        when a.id is null or m.id is null then 'movements without a document, or the other way round'
        when m.sets <> a.sets then format('moved %s sets instead of %s', m.sets, a.sets)
        else 'its parts do not fit its sets' end as what
      from (
        select a.client_id, a.id, case when a.undone_at is not null then 0
          when a.kind = 'ASSEMBLE' then a.units else -a.units end as sets, a.units, a.set_barcode
        from set_assemblies a where ${own('a')}
      ) a
      full join (
        select g.client_id, g.id, coalesce(sum(g.units) filter (where g.barcode = d.set_barcode), 0) as sets,
          count(*) filter (where g.barcode <> d.set_barcode) as parts,
          bool_and(g.barcode = d.set_barcode or g.units % d.units = 0 and sign(g.units) = case
            when d.undone_at is not null then 0 when d.kind = 'ASSEMBLE' then -1 else 1 end) as fits
        from (
          select m.client_id, m.assembly_id as id, ${goodsNow(db, 'm').barcode} as barcode, sum(m.delta) as units
          from stock_movements m ${goodsNow(db, 'm').join}
          where ${own('m')} and m.assembly_id is not null group by 1, 2, 3
        ) g
        left join set_assemblies d on d.client_id = g.client_id and d.id = g.id and ${own('d')}
        group by 1, 2
      ) m using (client_id, id)
      where a.id is null or m.id is null or m.sets <> a.sets or m.parts = 0 or not m.fits`,
  ),
  check(
    'the parts of a set that was ordered stand among the lines of its order',
    (db, own) => db`
      select client_id, format('order %s, line %s', order_id, line) as object, case
        when s.barcode is null then 'parts of no set'
        when s.shipment_id is null then 'parts in an order that is in no shipment'
        when s.stands then 'the set and its parts'
        else format('%s ordered, %s from parts, %s ready', s.quantity, s.from_parts, coalesce(l.ready, 0)) end as what
      from (
        select s.*, o.shipment_id, exists (
          select from order_lines k
          where ${own('k')} and k.client_id = s.client_id and k.order_id = s.order_id and k.line = s.line) as stands
        from order_sets s
        left join orders o on o.client_id = s.client_id and o.id = s.order_id and ${own('o')}
        where ${own('s')}
      ) s
      full join (
        select l.client_id, l.order_id, l.set_line as line,
          sum(l.quantity) filter (where l.barcode = x.barcode) as ready,
          count(*) filter (where l.barcode <> x.barcode) as parts,
          bool_and(l.barcode = x.barcode or l.quantity % x.from_parts = 0) as fits
        from order_lines l
        left join order_sets x on x.client_id = l.client_id and x.order_id = l.order_id and x.line = l.set_line
          and ${own('x')}
        where ${own('l')} and l.set_line is not null group by 1, 2, 3
      ) l using (client_id, order_id, line)
      where s.barcode is null or s.shipment_id is null or s.stands or coalesce(l.parts, 0) = 0 or not l.fits
        or coalesce(l.ready, 0) <> s.quantity - s.from_parts`,
  ),
]
