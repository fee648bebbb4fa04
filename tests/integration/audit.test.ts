import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { audit, auditWithin, checkNames } from '../../src/operations/audit/audit.ts'
import type { Finding } from '../../src/operations/audit/check.ts'
import { guards, unboundTables } from '../../src/operations/audit/checks/whole.ts'
import { openDatabase, type Queryable, type Transaction } from '../../src/platform/db/connection.ts'
import type { DatabaseTarget } from '../../src/platform/db/connections/address.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { buildScene, type Scene } from '../support/audited-scene.ts'
import { testDatabase } from '../support/database.ts'
import { meanwhile } from '../support/waiting.ts'
import { noon } from '../support/warehouse.ts'

const { db, target } = await testDatabase()
const clock = new ManualClock(noon + 60 * 60_000)
let scene: Scene

before(async () => {
  scene = await buildScene(db)
})

interface Damage {
  /** The object that the finding must name. */
  readonly object: RegExp
  /** What the finding must say, where the check tells several things apart. */
  readonly what?: RegExp
  /** False where the damaged object belongs to no client. */
  readonly ofClient?: false
  readonly damage: (tx: Transaction) => PromiseLike<unknown>
}

const wait = (...steps: ((tx: Transaction) => PromiseLike<unknown>)[]) => {
  return async (tx: Transaction) => {
    for (const step of steps) await step(tx)
  }
}
/** Turns off all triggers of the table. */
const unguard = (table: string) => (tx: Transaction) =>
  tx`alter table ${tx(table)} disable trigger user`

/** Damage to the database, by the check that must name it. */
const damages: Readonly<Record<string, Damage>> = {
  'triggers, foreign keys and constraints of the database are on': {
    object: /^stock_movements\.append_only$/,
    ofClient: false,
    damage: (tx) => tx`alter table stock_movements disable trigger append_only`,
  },
  'rows belong to known clients': {
    object: /^stock_entries$/,
    ofClient: false,
    damage: (tx) => tx`insert into stock_entries values (${newId()}, 'E', now(), 'test')`,
  },
  'balances are the sums of movements': {
    object: /^A$/,
    damage: (tx) => tx`update stock_balances set outside = outside + 1 where barcode = 'A'`,
  },
  'reserved units are the units of orders in our open shipments': {
    object: /^A$/,
    damage: (tx) => tx`update stock_balances set reserved = 0 where barcode = 'A'`,
  },
  'a set has no sets as parts': {
    object: /^KIT$/,
    damage: wait(
      unguard('set_parts'),
      (tx) => tx`insert into set_parts values (${scene.client}, 'B', 'A', 1)`,
    ),
  },
  'an assembly moves its sets, and for each of them the same parts the other way': {
    object: /^assembly /,
    damage: (tx) => tx`
      insert into set_assemblies values
        (${scene.client}, ${newId()}, 'KIT', 'ASSEMBLE', 1, null, null, now(), 'test', null, null)`,
  },
  'the parts of a set that was ordered stand among the lines of its order': {
    object: /^order .+, line 1$/,
    damage: (tx) => tx`update order_sets set from_parts = 2, quantity = 2 where barcode = 'KIT'`,
  },
  'each spelling of a GTIN names one product of the client': {
    object: /^04607$/,
    damage: (tx) => tx`insert into barcode_aliases values (${scene.client}, '04607', '4607')`,
  },
  'another barcode of a product names it in all spellings, and no other product': {
    object: /^A-2$/,
    damage: (tx) => tx`update barcode_aliases set spelling = 'A-3' where added = 'A-2'`,
  },
  'every product has a balance': {
    object: /^new$/,
    damage: (tx) =>
      tx`insert into products (client_id, barcode, name, name_folded, created_at)
        values (${scene.client}, 'new', 'N', 'n', now())`,
  },
  'goods that were merged are the other product everywhere but in what is over': {
    object: /^B$/,
    damage: (tx) => tx`update products set merged_into = 'A' where barcode = 'B'`,
  },
  'products are counted': {
    object: /^products$/,
    damage: (tx) => tx`
      update stock_versions set products = products + 1
      where (client_id, slot) = (select client_id, slot from stock_versions where client_id = ${scene.client} limit 1)`,
  },
  'movements belong to a receipt, a shipment, an order that came back or a manual entry': {
    object: /^movement \d+$/,
    damage: wait(
      unguard('stock_movements'),
      (tx) => tx`update stock_movements set order_id = ${newId()} where kind = 'shipment'`,
    ),
  },
  'no more units came back than left': {
    object: /^shipment .+, order .+, A$/,
    damage: (tx) =>
      tx`insert into stock_movements
          (client_id, barcode, kind, delta, at, actor, shipment_id, order_id)
        select client_id, barcode, kind, delta, at, actor, shipment_id, order_id
        from stock_movements where kind = 'return'`,
  },
  'movement tallies equal the movements': {
    object: /^acceptance in the month from 2026-11-01$/,
    damage: (tx) => tx`
      update movement_tallies set units = units + 1 where kind = 'acceptance' and span = 'month'`,
  },
  'warehouse tallies equal the receipts, shipments and misses': {
    object: /^accepted_units in the month from 2026-11-01$/,
    damage: (tx) => tx`
      update warehouse_tallies set amount = amount + 1 where figure = 'accepted_units' and span = 'month'`,
  },
  'sales tallies equal the lines of orders and the movements': {
    object: /^A of cabinet \S+ in the month from 2026-11-01$/,
    damage: (tx) =>
      tx`update sales_tallies set shipped = shipped + 1 where span = 'month' and barcode = 'A'`,
  },
  'sales of days equal the sales of their goods': {
    object: /^cabinet \S+ on the day 2026-11-20$/,
    damage: (tx) => tx`update sales_days set shipped = shipped + 1 where shipped > 0`,
  },
  'sales of years equal the lines of orders and the movements': {
    object: /^A shipped of cabinet \S+ in the year from 2026-01-01$/,
    damage: (tx) => tx`
      update sales_years set units = units - 1 where figure = 'shipped' and barcode = 'A'`,
  },
  'order tallies equal the orders': {
    object: /^WB NEW not sorted of all time$/,
    damage: (tx) =>
      tx`update order_tallies set orders = orders + 1 where status = 'NEW' and span = 'all'`,
  },
  'milestone tallies equal the orders': {
    object: /^sorted on the day 2026-01-01$/,
    damage: (tx) =>
      tx`insert into milestone_tallies values (${scene.client}, 'sorted', 'day', '2026-01-01', 1)`,
  },
  'tallies of sorted and delivered days equal the orders': {
    object: /^sorted on 2026-01-01, delivered on the day 2026-01-02$/,
    damage: (tx) =>
      tx`insert into sorted_delivered_tallies values (${scene.client}, 'day', '2026-01-02', '2026-01-01', 1)`,
  },
  'units that a marketplace shows are kept beside each balance': {
    object: /^A$/,
    damage: (tx) => tx`update stock_balances set shown_most = shown_most + 1 where barcode = 'A'`,
  },
  'kept figures of boxes and pallets equal the boxes': {
    object: /^A$/,
    damage: (tx) => tx`update stock_figures set pallets = pallets + 1 where barcode = 'A'`,
  },
  'lines of boxes and filled boxes of pallets are counted': {
    object: /^place /,
    damage: (tx) => tx`update fill_counts set held = held + 1`,
  },
  'sums of what lies in storage equal the balances and the boxes': {
    object: /^goods$/,
    damage: (tx) => tx`
      update stock_versions set goods = goods + 1
      where (client_id, slot) = (select client_id, slot from stock_versions where client_id = ${scene.client} limit 1)`,
  },
  'kept figures of marketplaces equal what their cabinets report': {
    object: /^reported$/,
    damage: wait(
      unguard('marketplace_stock'),
      (tx) => tx`
        insert into marketplace_stock (client_id, cabinet_id, barcode, item_id, product, quantity, synced_at)
        select client_id, id, 'reported', 1, '1', 5, now() from cabinets where shipments <> 'observe' limit 1`,
    ),
  },
  'boxes and locations hold no more than the balance': {
    object: /^A$/,
    damage: (tx) => tx`update location_contents set quantity = 100`,
  },
  'what lies at a location belongs to a client of its warehouse': {
    object: /^A at /,
    damage: wait(
      (tx) => tx`
        insert into warehouses (code, name, created_at) values ('OTHER', 'Другой', now())`,
      (tx) => tx`update locations set warehouse_code = 'OTHER'`,
    ),
  },
  'lines of counts are the sums of their scans': {
    object: /^count .+, A$/,
    damage: (tx) => tx`update count_scans set units = units + 1`,
  },
  'goods of counts are the sums of their scans': {
    object: /^count .+, A$/,
    damage: (tx) => tx`update count_goods set scans = scans + 1`,
  },
  'who counts has a scan': {
    object: /^count /,
    damage: (tx) => tx`update count_workers set actor = 'command-line'`,
  },
  'decisions on counts are in the ledger, and closed counts are decided': {
    object: /^count .+, A$/,
    damage: wait(
      unguard('stock_movements'),
      (tx) => tx`delete from stock_movements where comment like 'Пересчёт %'`,
    ),
  },
  'scans at locations and picks name a location': {
    object: /^scan located$/,
    damage: (tx) => tx`update location_scans set location_id = ${newId()}`,
  },
  'boxes, their contents and their pallets belong to one client': {
    object: /^box /,
    damage: wait(
      (tx) => tx`alter table boxes drop constraint boxes_client_id_pallet_id_fkey`,
      (tx) => tx`update boxes set pallet_id = ${newId()}`,
    ),
  },
  'an SSCC belongs to one box or pallet': {
    object: /^0{10}/,
    damage: (tx) => tx`update storage_numbers set object_id = ${newId()} where kind = 'box'`,
  },
  'storage scans name a box of the client': {
    object: /^put$/,
    damage: (tx) => tx`update storage_scans set box_id = ${newId()}`,
  },
  'numbers of receipts are counted': {
    object: /^counter$/,
    damage: (tx) => tx`update client_counters set receipts = receipts + 1`,
  },
  'totals of receipts': {
    object: /^R-000001$/,
    damage: (tx) => tx`update receipts set expected_qty = expected_qty + 1`,
  },
  'statuses of receipts are those of their lines': {
    object: /^R-000001$/,
    damage: (tx) =>
      tx`update receipts set status = 'RECEIVED_WITH_DISCREPANCY' where status = 'RECEIVED'`,
  },
  'exceptions name a receipt, batch of returns, count, location, box or pallet of their client': {
    object: /^exception .+$/,
    damage: (tx) => tx`update scan_exceptions set kind = 'count_scan'`,
  },
  'lines of walk-in receipts declare nothing, and only approved ones were decided on': {
    object: /^receipt .+, A$/,
    damage: (tx) => tx`update receipt_items set decided_qty = 1 where barcode = 'A'`,
  },
  'cancelled receipts are short of everything, for the reason CANCELLED': {
    object: /^receipt .+, B$/,
    damage: (tx) =>
      tx`update receipt_items set shortage_reason = 'OTHER' where shortage_reason = 'CANCELLED'`,
  },
  'lines of receipts are the sums of their scans and movements': {
    object: /^receipt .+, A$/,
    damage: (tx) => tx`update receipt_scans set undone_at = now() where barcode = 'A'`,
  },
  'statuses of orders agree with their shipments': {
    object: /^new order$/,
    damage: (tx) => tx`update orders set status = 'COMPLETED' where external_id = 'new order'`,
  },
  'the last history entry of an order has its status': {
    object: /^new order$/,
    damage: (tx) =>
      tx`insert into order_status_history (client_id, order_id, at, status)
        select client_id, id, now(), 'OTHER' from orders`,
  },
  'orders show the goods of their first line': {
    object: /^new order$/,
    damage: (tx) => tx`update orders set barcode = 'B' where external_id = 'new order'`,
  },
  'deadlines of open orders are those reported, else by the rule of the cabinet': {
    object: /^new order$/,
    damage: (tx) => tx`update orders set deadline_at = now() where external_id = 'new order'`,
  },
  'orders and shipments belong to their cabinet and its marketplace': {
    object: /^new order$/,
    damage: (tx) => tx`update orders set marketplace = 'OZON' where external_id = 'new order'`,
  },
  'shipments count their orders and units': {
    object: /^closed$/,
    damage: (tx) => tx`update shipments set units = units + 1 where external_id = 'closed'`,
  },
  'a shipment made here takes all goods of its orders from the ledger': {
    object: /^shipment .+, order .+, A$/,
    damage: (tx) =>
      tx`update order_lines set quantity = quantity + 1 where order_id = ${scene.shipped}`,
  },
  'a mirrored shipment lists the units that it did not take from the ledger': {
    object: /^shipment .+, order .+$/,
    damage: (tx) => tx`update shipment_shortages set units = units + 1`,
  },
  'an order that came back to be handed over again left its shipment with all of its units': {
    object: /^order returned order, supply returned$/,
    damage: wait(
      unguard('stock_movements'),
      (tx) => tx`delete from stock_movements where kind = 'return'`,
    ),
  },
  'numbers of return batches are counted': {
    object: /^counter$/,
    damage: (tx) => tx`update client_counters set returns = returns + 1`,
  },
  'units that came back are those of the scans': {
    object: /^return .+, order .+, D$/,
    damage: (tx) => tx`update return_scans set condition = 'unknown', reason = 'OTHER'
      where barcode = 'D'`,
  },
  'no more units of a line came back than it expects, and all of its order': {
    object: /^return .+, line 1$/,
    damage: (tx) => tx`update return_scans set line = 1`,
  },
  'the marks of a unit that came back are not outside': {
    object: /^scan damaged$/,
    damage: (tx) => tx`
      update marking_codes m set state = 'shipped', order_id = s.order_id, changed_at = s.at - interval '1 s'
      from return_scans s where s.marking_code = m.identity`,
  },
  'a picking task is done when its shipment is closed': {
    object: /^open$/,
    damage: (tx) =>
      tx`update picking_tasks set status = 'DONE', done_at = now() where status = 'OPEN'`,
  },
  'the picked units of a line equal its picks that are not undone': {
    object: /^order .+, line 1$/,
    damage: (tx) => tx`update picks set undone_at = now()`,
  },
  'an order is packed when all of its units are picked': {
    object: /^open order$/,
    damage: (tx) => tx`update orders set packed_at = null where external_id = 'open order'`,
  },
  'picks and misses belong to an order of their task': {
    object: /^pick /,
    damage: wait(unguard('picks'), (tx) => tx`update picks set task_id = ${newId()}`),
  },
  'a miss waits only while its order is collected and lacks the goods': {
    object: /^miss /,
    damage: (tx) => tx`
      insert into pick_misses (client_id, task_id, order_id, barcode, units, reason, at, actor)
      select client_id, task_id, order_id, barcode, 1, 'OTHER', now(), 'test' from picks limit 1`,
  },
  'a mark that names one unit is held by the order of its pick': {
    object: /^imei 490154203237518$/,
    damage: (tx) => tx`delete from unit_marks`,
  },
  'marks that are being proven are of picked units, and refused ones of units that were put back': {
    object: /^scan /,
    damage: (tx) => tx`
      insert into mark_proofs (client_id, task_id, scan_id, order_id, cabinet_id, state, given_at,
        reason)
      select p.client_id, p.task_id, p.scan_id, p.order_id, o.cabinet_id, 'refused', now(), 'плох'
      from picks p
      join picking_tasks t on t.client_id = p.client_id and t.id = p.task_id and t.status = 'OPEN'
      join orders o on o.client_id = p.client_id and o.id = p.order_id
      where p.undone_at is null`,
  },
  'an order is packed later than a mark of it was refused, with another unit': {
    object: /^order open order$/,
    damage: wait(
      (tx) => tx`
        insert into mark_proofs (client_id, task_id, scan_id, order_id, cabinet_id, state, given_at,
          reason)
        select p.client_id, p.task_id, p.scan_id, p.order_id, o.cabinet_id, 'refused', now(), 'плох'
        from picks p
        join orders o on o.client_id = p.client_id and o.id = p.order_id
        where p.undone_at is null and o.external_id = 'open order'`,
      (tx) =>
        tx`update picks p set undone_at = now() from mark_proofs m where m.scan_id = p.scan_id`,
    ),
  },
  'checked units are picked units of their order': {
    object: /^order .+, line 1$/,
    damage: (tx) => tx`update pack_checks set marking_code = marking_code || '0'`,
  },
  'a claim is of a user with access': {
    object: /^task /,
    damage: (tx) => tx`
      update picking_tasks set claimed_by = ${newId()}, claimed_at = now() where status = 'OPEN'`,
  },
  'marking codes belong to known products, receipts and orders': {
    object: /^\d{14}u/,
    damage: (tx) => tx`update marking_codes set receipt_id = ${newId()}`,
  },
  'a picked code belongs to an order of an open shipment, a shipped code to one of a closed shipment':
    {
      object: /^\d{14}u/,
      damage: (tx) => tx`update marking_codes set state = 'shipped' where state = 'picked'`,
    },
  'codes of picks for open shipments have the state picked': {
    object: /^\d{14}u/,
    damage: (tx) =>
      tx`update marking_codes set state = 'stored', order_id = null where state = 'picked'`,
  },
  'counted codes are known': {
    object: /^\d{14}u/,
    damage: (tx) => tx`delete from marking_codes where state = 'stored'`,
  },
  'cards are found by all of their barcodes and no others': {
    object: /^card 7$/,
    damage: wait(
      (tx) => tx`
        insert into marketplace_cards (client_id, cabinet_id, item_id, barcodes, name)
        select client_id, id, 7, array['A', 'B'], 'Card' from cabinets limit 1`,
      (tx) => tx`delete from card_barcodes where barcode = 'B'`,
    ),
  },
  'charges are those of what happened, by the tariffs in force': {
    object: /^ORDER_PACKED of order:\S+ on 2026-11-20$/,
    damage: (tx) => tx`delete from charges where service = 'ORDER_PACKED'`,
  },
  'charges belong to a billing period': {
    object: /^charges of 2026-10$/,
    damage: (tx) => tx`
      insert into charges values
        (${scene.client}, '2026-10-01', '2026-10-01', 'OWN_BOXES', 'manual:1', 0, 1, 100, 100, null)`,
  },
  'a charge is its quantity by its price': {
    object: /^UNIT_RECEIVED of receipt:\S+ on 2026-11-20$/,
    damage: (tx) => tx`update charges set amount = amount + 1 where service = 'UNIT_RECEIVED'`,
  },
  'acts are the sums of their charges': {
    object: /^act 1$/,
    damage: wait(
      (tx) => tx`
        insert into billing_periods (client_id, month, warehouse_code, computed_at, closed_at, closed_by)
        select id, '2026-10-01', warehouse_code, now(), now(), 'test' from clients where id = ${scene.client}`,
      (tx) => tx`
        insert into acts (client_id, id, number, month, day, provider, client, vat_included, amount, vat, total,
          created_at, created_by)
        values (${scene.client}, ${newId()}, 1, '2026-10-01', '2026-10-31', '{}', '{}', false, 1, 0, 1, now(), 'test')`,
    ),
  },
  'acts of a closed period are all of its charges': {
    object: /^period 2026-10$/,
    damage: wait(
      (tx) => tx`
        insert into billing_periods (client_id, month, warehouse_code, computed_at)
        select id, '2026-10-01', warehouse_code, now() from clients where id = ${scene.client}`,
      (tx) => tx`
        insert into charges (client_id, month, day, service, source, step, quantity, price, amount)
        values (${scene.client}, '2026-10-01', '2026-10-02', 'OWN_A', 'manual:1', 0, 1, 1, 1)`,
      (tx) => tx`
        update billing_periods set closed_at = now(), closed_by = 'test'
        where client_id = ${scene.client} and month = '2026-10-01'`,
      (tx) => tx`
        insert into acts (client_id, id, number, month, day, warehouse_code, provider, client, vat_included, amount, vat,
          total, created_at, created_by)
        values (${scene.client}, ${newId()}, 1, '2026-10-01', '2026-10-31', 'ELSEWHERE', '{}', '{}', false, 0, 0, 0,
          now(), 'test')`,
    ),
  },
  'each closed period has an act, and no other': {
    object: /^period 2026-10$/,
    damage: (tx) => tx`
      insert into billing_periods (client_id, month, warehouse_code, computed_at, closed_at, closed_by)
      select id, '2026-10-01', warehouse_code, now(), now(), 'test' from clients where id = ${scene.client}`,
  },
  'a key that nobody has seen is valid while its value waits, and no longer': {
    object: /^key request /,
    damage: (tx) => tx`
      with asked as (
        insert into seller_users (id, login, password_hash, created_at)
        values (${newId()}, 'audited', '', now()) returning id
      ), issued as (
        insert into api_keys (client_id, id, name, preview, receipts_enabled, created_at, revoked_at)
        values (${scene.client}, ${newId()}, '1С', 'svc_live…AbCd', false, now(), now()) returning client_id, id
      )
      insert into key_requests (client_id, id, name, purpose, receipts_enabled, status, asked_by, created_at, decided_at,
        key_id, sealed_key, reveal_until)
      select k.client_id, ${newId()}, '1С', 'Остатки', false, 'ISSUED', u.id, now(), now(), k.id, '\\x00',
        now() + interval '1 hour'
      from asked u, issued k`,
  },
  'pictures are the bytes of their hash': {
    object: /^picture [0-9a-f]{64}$/,
    damage: (tx) => tx`
      insert into pictures (client_id, hash, type, bytes, unused_since)
      values (${scene.client}, sha256('one'), 'image/png', 'other', now())`,
  },
  'pictures that no product shows are known as unused': {
    object: /^picture [0-9a-f]{64}$/,
    damage: (tx) => tx`
      insert into pictures (client_id, hash, type, bytes)
      values (${scene.client}, sha256('one'), 'image/png', 'one')`,
  },
  'pictures of a client keep their bound': {
    object: /^pictures$/,
    damage: (tx) => tx`
      insert into pictures (client_id, hash, type, bytes, unused_since)
      select ${scene.client}, sha256(n::text::bytea), 'image/png', n::text::bytea, now()
      from generate_series(1, 20001) n`,
  },
  'lots of goods are as many as the units at each place': {
    object: /^D at loose /,
    damage: (tx) => tx`
      update stock_lots set quantity = quantity + 1 where client_id = ${scene.client} and place = 'loose'`,
  },
  'expired units that went in question are units of lots with a date': {
    object: /^D$/,
    damage: (tx) => tx`update lot_goods set expired_units = 100`,
  },
  'lots of scans name a scan that counts': {
    object: /^scan first$/,
    damage: (tx) => tx`update scan_lots set object_id = ${newId()} where scan_id = 'first'`,
  },
  'photos are the bytes of their hash': {
    object: /^photo /,
    damage: (tx) => tx`update photos set bytes = 'other'`,
  },
  'photos belong to an object': {
    object: /^photo /,
    damage: (tx) => tx`update photos set object_id = ${newId()}`,
  },
  'photos of a client keep their bounds': {
    object: /^photos$/,
    damage: (tx) => tx`
      insert into photos
        (client_id, id, kind, object_id, hash, bytes, size, taken_at, created_at, created_by, keep_until)
      select p.client_id, gen_random_uuid(), p.kind, p.object_id, sha256(n::text::bytea), n::text::bytea, 1,
        p.taken_at, p.created_at, p.created_by, p.keep_until
      from photos p, generate_series(1, 60) n`,
  },
  'remote commands and shortages belong to shipments': {
    object: /^shipment /,
    damage: (tx) => tx`update shipments set mirrored = false`,
  },
  'observed orders and shipments belong to observed cabinets': {
    object: /^order /,
    damage: (tx) => tx`
      update orders set observed = true where (client_id, id) in (
        select client_id, id from orders where shipment_id is null limit 1)`,
  },
  'deliveries have their event and a subscription that is on': {
    object: /^delivery /,
    damage: (tx) =>
      tx`update webhook_subscriptions set disabled_at = created_at - interval '1 hour'`.then(
        () => tx`update pending_deliveries set created_at = created_at - interval '1 hour'`,
      ),
  },
  'attempts are counted': {
    object: /^delivery /,
    damage: (tx) => tx`update pending_deliveries set attempts = 1`,
  },
  'a delivery waits or has ended': {
    object: /^delivery /,
    damage: (tx) => tx`
      insert into ended_deliveries (client_id, id, webhook_id, event_id, event_type, status, attempts, created_at)
      select client_id, id, webhook_id, event_id, event_type, 'FAILED', 0, created_at from pending_deliveries limit 1`,
  },
  'delivery tallies equal the log': {
    object: /^subscription \S+, events of 2026-\d\d-\d\d$/,
    damage: (tx) => tx`update delivery_tallies set failed = failed + 1`,
  },
  'events say what they are': {
    object: /^event /,
    damage: (tx) => tx`update events set body = replace(body, 'receipt', 'RECEIPT')`,
  },
  'a feed has an event at each position that it keeps': {
    object: /^feed$/,
    damage: (tx) => tx`update events set position = 1 where position = 2`,
  },
  'every status was announced': {
    object: /^open$/,
    damage: (tx) =>
      tx`update shipments set announced_status = 'HANDED_OVER' where external_id = 'open'`,
  },
  'chains of the receipt journal': {
    object: /^entry 2$/,
    damage: wait(
      unguard('receipt_journal'),
      (tx) => tx`update receipt_journal set body = replace(body, '1', '2') where entry = 2`,
    ),
  },
  'requests of sellers and their receipts are in the journal': {
    object: /^X$/,
    damage: (tx) =>
      tx`insert into receipts (client_id, id, number, status, source, expected_qty, created_at)
        values (${scene.client}, ${newId()}, 'X', 'EXPECTED', 'api', 0, now())`,
  },
  'history is of known orders': {
    object: /^entry \d+$/,
    damage: (tx) =>
      tx`insert into order_status_history (client_id, order_id, at, status)
        values (${scene.client}, ${newId()}, now(), 'NEW')`,
  },
  'metrics equal the figures of movements, receipts, orders and shipments': {
    object: /^2026-10-21T.+ to 2026-11-20T/,
    damage: (tx) => tx`update order_tallies set orders = orders + 1 where status = 'NEW'`,
  },
}

/** Damages the database in a transaction, returns what the audit finds, and rolls back. */
async function findingsAfter(damage: Damage['damage']): Promise<readonly Finding[]> {
  const undo = new Error('rolled back')
  let findings: readonly Finding[] = []
  await db
    .begin(async (tx) => {
      await damage(tx)
      findings = (await auditWithin(tx, clock)).findings
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return findings
}

/** Transactions that are open in the database, beside the one that counts. */
async function openTransactions(): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and xact_start is not null
      and pid <> pg_backend_pid()`
  return row.count
}

test('the audit of an undamaged database has no findings', async () => {
  const report = await audit(db, clock)
  assert.deepEqual(report, { checks: checkNames.length, findings: [], omitted: 0 })
})

test('every check has a damage in this file', () => {
  assert.deepEqual(Object.keys(damages).sort(), [...checkNames].sort())
})

/** More damage that one of the checks must name. */
const moreDamages: readonly (readonly [string, Damage])[] = [
  [
    'the last history entry of an order has its status',
    {
      object: /^new order$/,
      damage: wait(
        unguard('order_status_history'),
        (tx) => tx`
          delete from order_status_history h using orders o
          where o.client_id = h.client_id and o.id = h.order_id and o.external_id = 'new order'`,
      ),
    },
  ],
  [
    'a mark that names one unit is held by the order of its pick',
    {
      object: /^imei 490154203237518$/,
      damage: wait(
        unguard('picks'),
        (tx) => tx`update picks set marks = '{"imei": null}' where marks ? 'imei'`,
      ),
    },
  ],
  [
    'marks that are being proven are of picked units, and refused ones of units that were put back',
    {
      object: /^scan /,
      damage: wait(
        (tx) => tx`
          insert into mark_proofs (client_id, task_id, scan_id, order_id, cabinet_id, state, given_at)
          select p.client_id, p.task_id, p.scan_id, p.order_id, o.cabinet_id, 'unsent', now()
          from picks p
          join orders o on o.client_id = p.client_id and o.id = p.order_id
          where p.undone_at is null and o.external_id = 'open order'`,
        (tx) => tx`update orders set shipment_id = null where external_id = 'open order'`,
      ),
    },
  ],
  ...several('lots of goods are as many as the units at each place', {
    '0 in lots, there are 1': {
      object: /^D at box /,
      damage: (tx) => tx`delete from stock_lots where place = 'box'`,
    },
    '0 in lots, there are 2': {
      object: /^D at location /,
      damage: wait(
        unguard('location_contents'),
        (tx) => tx`
          insert into location_contents (client_id, location_id, barcode, quantity)
          select client_id, location_id, 'D', 2 from location_contents where barcode = 'A' limit 1`,
      ),
    },
  }),
  ...several('expired units that went in question are units of lots with a date', {
    '1 went in question, 0 have a date': {
      object: /^D$/,
      damage: wait(
        (tx) => tx`delete from stock_lots where expires_on > '-infinity'`,
        (tx) => tx`update lot_goods set expired_units = 1`,
      ),
    },
  }),
  ...several('lots of scans name a scan that counts', {
    'no such receipt of D': {
      object: /^scan second$/,
      damage: (tx) =>
        tx`update receipt_scans set undone_at = now(), undone_by = 'test' where scan_id = 'second'`,
    },
    'no such pick of D': {
      object: /^scan plain$/,
      damage: (tx) => tx`
        insert into scan_lots (client_id, kind, object_id, scan_id, barcode, order_id, expires_on, number)
        select client_id, 'pick', task_id, scan_id, 'D', order_id, '-infinity', '' from picks
        where scan_id = 'plain'`,
    },
    'no such count of D': {
      object: /^scan counted$/,
      damage: (tx) =>
        tx`update scan_lots set kind = 'count', scan_id = 'counted' where scan_id = 'first'`,
    },
  }),
  ...several('a set has no sets as parts', {
    'has the set A as a part': {
      object: /^A$/,
      damage: wait(
        unguard('set_parts'),
        (tx) => tx`insert into set_parts values (${scene.client}, 'A', 'A', 1)`,
      ),
    },
  }),
  ...several('an assembly moves its sets, and for each of them the same parts the other way', {
    'movements without a document, or the other way round': {
      object: /^assembly /,
      damage: (tx) => tx`delete from set_assemblies`,
    },
    'moved 1 sets instead of 2': {
      object: /^assembly /,
      damage: (tx) => tx`update set_assemblies set units = 2 where kind = 'ASSEMBLE'`,
    },
    'moved 0 sets instead of 1': {
      object: /^assembly /,
      damage: (tx) => tx`update set_assemblies set undone_at = null, undone_by = null`,
    },
    'its parts do not fit its sets': {
      object: /^assembly /,
      damage: wait(
        unguard('stock_movements'),
        (tx) => tx`
          update stock_movements set delta = -delta where assembly_id is not null and barcode = 'B'`,
      ),
    },
  }),
  ...several('the parts of a set that was ordered stand among the lines of its order', {
    'parts of no set': {
      object: /^order .+, line 1$/,
      damage: (tx) => tx`delete from order_sets`,
    },
    'parts in an order that is in no shipment': {
      object: /^order .+, line 1$/,
      damage: (tx) => tx`update orders set shipment_id = null where external_id = 'set order'`,
    },
    'the set and its parts': {
      object: /^order .+, line 1$/,
      damage: (tx) => tx`
        insert into order_lines (client_id, order_id, line, barcode, quantity)
        select client_id, order_id, line, barcode, quantity from order_sets`,
    },
    '1 ordered, 1 from parts, 0 ready': {
      object: /^order .+, line 1$/,
      damage: (tx) => tx`delete from order_lines where set_line is not null`,
    },
    '2 ordered, 1 from parts, 0 ready': {
      object: /^order .+, line 1$/,
      damage: (tx) => tx`update order_sets set quantity = 2`,
    },
  }),
  ...several('each spelling of a GTIN names one product of the client', {
    'names nothing': {
      object: /^0?460000000001\d$/,
      damage: (tx) => tx`delete from barcode_aliases where barcode like '%460000000001_'`,
    },
    'names A': {
      object: /^0?460000000001\d$/,
      damage: (tx) =>
        tx`update barcode_aliases set barcode = 'A' where barcode like '%460000000001_'`,
    },
  }),
  ...several('another barcode of a product names it in all spellings, and no other product', {
    'names A and is a product of its own': {
      object: /^A-2$/,
      damage: (tx) => tx`
        insert into products (client_id, barcode, name, name_folded, created_at)
        values (${scene.client}, 'A-2', 'A', 'a', now())`,
    },
  }),
  ...several('goods that were merged are the other product everywhere but in what is over', {
    'was merged into A, which was merged': {
      object: /^B$/,
      damage: wait(
        (tx) => tx`update products set merged_into = 'D' where barcode = 'A'`,
        (tx) => tx`update products set merged_into = 'A' where barcode = 'B'`,
      ),
    },
    'was merged into A and has 3 units in the ledger': {
      object: /^U$/,
      damage: wait(
        addMerged,
        unguard('stock_movements'),
        (tx) => tx`
          insert into stock_movements (client_id, barcode, kind, delta, at, actor)
          values (${scene.client}, 'U', 'correction', 3, now(), 'test')`,
      ),
    },
    'was merged into A and lies in 1 boxes or locations': {
      object: /^U$/,
      damage: wait(
        addMerged,
        unguard('box_contents'),
        (tx) => tx`
          insert into box_contents (client_id, box_id, barcode, quantity)
          select client_id, box_id, 'U', 1 from box_contents limit 1`,
      ),
    },
    'was merged into A and is in 2 open orders and receipts': {
      object: /^U$/,
      damage: wait(
        addMerged,
        (tx) => tx`
          insert into order_lines (client_id, order_id, line, barcode, quantity)
          select client_id, id, 9, 'U', 1 from orders where external_id = 'open order'`,
        (tx) => tx`
          insert into receipts (client_id, id, number, status, source, expected_qty, created_at)
          values (${scene.client}, ${newId()}, 'X', 'EXPECTED', 'manual', 1, now())`,
        (tx) => tx`
          insert into receipt_items (client_id, receipt_id, line, barcode, name, expected_qty)
          select client_id, id, 1, 'U', 'U', 1 from receipts where number = 'X'`,
      ),
    },
  }),
  ...several('photos are the bytes of their hash', {
    'its 1 bytes have 6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b': {
      object: /^photo /,
      damage: (tx) => tx`update photos set bytes = '1', hash = sha256('1')`,
    },
  }),
  // The photo is of an order: its id is that of no other object.
  ...(['receipt', 'return', 'count', 'stock_entry', 'scan_exception'] as const).flatMap((kind) =>
    several('photos belong to an object', {
      [`no ${kind} `]: {
        object: /^photo /,
        damage: (tx) => tx`update photos set kind = ${kind}`,
      },
    }),
  ),
  ...several('photos belong to an object', {
    'no order ': {
      object: /^photo /,
      damage: (tx) => tx`update photos set object_id = (select id::text from receipts limit 1)`,
    },
  }),
  ...several('pictures are the bytes of their hash', {
    'its bytes have ': {
      object: /^picture [0-9a-f]{64}$/,
      damage: (tx) => tx`update pictures set bytes = 'other'`,
    },
  }),
  ...several('pictures that no product shows are known as unused', {
    'no product shows it': {
      object: /^picture [0-9a-f]{64}$/,
      damage: (tx) => tx`update product_pictures set uploaded = null`,
    },
  }),
]

/** Damages that one check tells apart, by the beginning of what its finding must say. */
function several(
  check: string,
  each: Readonly<Record<string, Damage>>,
): readonly (readonly [string, Damage])[] {
  return Object.entries(each).map(([what, damage]) => [
    check,
    { ...damage, what: new RegExp(`^${what}`) },
  ])
}

/** A product of which nothing ever was becomes one that was merged into A. */
async function addMerged(tx: Transaction): Promise<void> {
  await tx`
    insert into products (client_id, barcode, name, name_folded, created_at, merged_into)
    values (${scene.client}, 'U', 'U', 'u', now(), 'A')`
}

for (const [check, { object, what, ofClient, damage }] of [
  ...Object.entries(damages),
  ...moreDamages,
]) {
  const said = what?.source ?? object.source
  test(`the audit names damage: ${check}, ${said}`, async () => {
    const findings = await findingsAfter(damage)
    const client = ofClient === false ? /^(?:null|[0-9a-f-]{36})$/ : new RegExp(`^${scene.client}$`)
    assert.ok(
      findings.some(
        (finding) =>
          finding.check === check &&
          object.test(finding.object) &&
          client.test(String(finding.client)) &&
          (what ?? /./).test(finding.what),
      ),
      JSON.stringify(findings, null, 2),
    )
  })
}

test('the audit names every trigger that is off or missing, and a missing constraint', async () => {
  const off = (table: string, trigger: string) => (tx: Transaction) =>
    tx`alter table ${tx(table)} disable trigger ${tx(trigger)}`
  const gone = (table: string, trigger: string) => (tx: Transaction) =>
    tx`drop trigger ${tx(trigger)} on ${tx(table)}`
  const all = guards.map(([table, trigger]) => `${table}.${trigger}`).sort()
  for (const damage of [off, gone]) {
    const findings = await findingsAfter(wait(...guards.map((guard) => damage(...guard))))
    assert.deepEqual(findings.map(({ object }) => object).sort(), all)
  }
  const [finding] = await findingsAfter(
    (tx) => tx`alter table stock_balances drop constraint stock_balances_cover`,
  )
  assert.equal(finding?.object, 'stock_balances.stock_balances_cover')
})

test('the audit checks every trigger of the schema', async () => {
  const triggers = await db<{ name: string }[]>`
    select format('%s.%s', tgrelid::regclass, tgname) as name from pg_trigger
    where not tgisinternal order by 1`
  assert.deepEqual(
    triggers.map(({ name }) => name),
    guards.map(([table, name]) => `${table}.${name}`).sort(),
  )
})

test('the audit looks for rows of unknown clients in every table whose client_id has no foreign key', async () => {
  const unbound = await db<{ name: string }[]>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id'
    where c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = current_schema()::regnamespace
      and c.relpersistence = 'p' and not exists (
        select from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any(f.conkey))
    order by 1`
  // The journals of calls and of staff may name a client that does not exist.
  const others = ['call_journal', 'staff_journal']
  assert.deepEqual(
    unbound.map(({ name }) => name),
    [...unboundTables, ...others].sort(),
  )
})

// Guarantee (journal): The audit finds an entry that is missing from the receipt journal.
test('the audit notices a deleted entry of the receipt journal, the last one too', async () => {
  for (const entry of [2, 3]) {
    const findings = await findingsAfter(
      wait(
        unguard('receipt_journal'),
        (tx) => tx`delete from receipt_journal where entry = ${entry}`,
      ),
    )
    const checks = findings.map((finding) => finding.check)
    assert.ok(checks.includes('chains of the receipt journal'))
  }
})

test('the audit returns the first thousand findings and counts the rest', async () => {
  let report: Awaited<ReturnType<typeof auditWithin>> | undefined
  const undo = new Error('rolled back')
  await db
    .begin(async (tx) => {
      await tx`
        insert into order_status_history (client_id, order_id, at, status)
        select ${scene.client}, ${newId()}, now(), 'NEW' from generate_series(1, 1500)`
      report = await auditWithin(tx, clock)
      throw undo
    })
    .catch((error: unknown) => assert.equal(error, undo))
  assert.equal(report?.findings.length, 1000)
  assert.equal(report?.omitted, 500)
})

test('the audit sees one moment, waits for no lock, and changes nothing', async () => {
  await db.begin(async (tx) => {
    await tx`update stock_balances set quantity = quantity + 1`
    await tx`lock table orders in row exclusive mode`
    assert.deepEqual((await audit(db, clock)).findings, [])
    await tx`update stock_balances set quantity = quantity - 1`
  })
})

test('all connections of the audit see its moment, and find what one alone finds, in the same order', async () => {
  const damage = (tx: Queryable, units: number) => tx`
    update stock_balances set outside = outside + ${units}::int`
  const { answer, waited } = await meanwhile(
    db,
    async (tx) => {
      // The audit has its moment by then, and no connection but its first.
      await tx`lock table clients in access exclusive mode`
      await damage(tx, 1)
    },
    () => audit(db, clock, 0),
  )
  assert.ok(waited)
  assert.deepEqual(answer.findings, [])
  const report = await audit(db, clock, 0)
  assert.ok(report.findings.length > 1)
  assert.deepEqual(await db.begin((tx) => auditWithin(tx, clock)), report)
  await damage(db, -1)
})

test('the audit does with one connection where the server has no other', async (t) => {
  const role = `alone_${newId().replaceAll('-', '')}`
  await db.unsafe(
    `create role ${role} login password 'alone' connection limit 1 in role pg_read_all_data`,
  )
  const alone = openDatabase(asUser(target, role, 'alone'))
  t.after(async () => {
    await alone.end()
    await db.unsafe(`drop role ${role}`)
  })
  const report = await audit(alone, clock, 0)
  assert.deepEqual(report, { checks: checkNames.length, findings: [], omitted: 0 })
})

function asUser(from: DatabaseTarget, user: string, password: string): DatabaseTarget {
  if (!('url' in from)) return { ...from, user }
  return { url: Object.assign(new URL(from.url), { username: user, password }).href }
}

test('a check that fails fails the audit, and its other connections end', async () => {
  const before = await openTransactions()
  await db`alter table unit_marks rename to unit_marks_away`
  await assert.rejects(audit(db, clock, 0), /unit_marks/)
  await db`alter table unit_marks_away rename to unit_marks`
  assert.equal(await openTransactions(), before)
  assert.deepEqual((await audit(db, clock)).findings, [])
})

test('the audit names a return of an unknown order, and an order that waits to leave again for no reason', async () => {
  const ofNobody = await findingsAfter(
    wait(
      unguard('stock_movements'),
      (tx) => tx`update stock_movements set order_id = ${newId()} where kind = 'return'`,
    ),
  )
  assert.ok(ofNobody.some(({ what }) => what === 'A: of an unknown order'))
  const withoutReason = await findingsAfter(
    (tx) => tx`update orders set reship_since = now() where external_id = 'new order'`,
  )
  const named = withoutReason.map(({ object, what }) => `${object}: ${what}`)
  assert.ok(
    named.includes('order new order: to be handed over again, and left no shipment for that'),
    named.join(),
  )
})
