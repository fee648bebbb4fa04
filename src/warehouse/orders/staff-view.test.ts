import test from 'node:test'
import { assertShown, withNulls } from '../../../tests/support/shown-fields.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { StaffOrder, type StaffOrderRow, staffOrderView } from './staff-view.ts'

const at = (text: string) => `2026-11-20T${text}+03:00` as Timestamp
const row: StaffOrderRow = {
  id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cc',
  marketplace: 'OZON',
  external_id: 'a "b"\n',
  status: 'ASSEMBLING',
  supplier_status: 'awaiting_packaging',
  buyer_status: 'waiting',
  status_changed_at: at('10:00:00.120'),
  article: 'Ж-1',
  barcode: '460',
  nm_id: null,
  is_b2b: false,
  shipment_id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cd',
  shipment_external_id: '100-1',
  created_at: at('09:00:00.000'),
  packed_at: at('11:00:00.001'),
  synced_at: at('12:30:00.100'),
  client_id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8ce',
  client_name: 'ООО «Север»',
  cabinet_id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cf',
  reship_since: at('12:00:00.000'),
  observed: true,
  shipped_elsewhere: true,
  open_misses: 2,
  deadline: at('18:00:00.000'),
  deadline_without_delay: at('19:00:00.500'),
  lateness_costs: [
    { until: at('18:00:00.000'), tariff: 'no_discount', percent: 0, amount: '0', currency: 'RUB' },
    { until: null, tariff: 'commission' },
  ],
  warehouse: { id: '507', name: 'Север\t1' },
  scheme: 'fbs',
  cargo_type: '1',
  cross_border_type: '0',
  comment: 'до "двери"',
  cancel_reason: 'передумал',
  cancelled_by: 'buyer',
  cancellable: false,
  label_codes: ['%101%', '"2"'],
  parent_external_id: '99-1',
  related_external_ids: ['99-2'],
  boxes: 2,
  needs_boxes: true,
  lines: [
    { barcode: '460', qty: 2, picked: 1, required_marks: ['gtin'], optional_marks: [] },
    { article: 'Ж-2', qty: 1, picked: 0, required_marks: [], optional_marks: ['rnpt'] },
  ],
}
/** All combinations of one group are shown, with and without the fields of the other ones. */
const groups = [
  ['reship_since', 'deadline', 'deadline_without_delay', 'lateness_costs', 'warehouse', 'scheme'],
  ['cargo_type'],
  [
    'cross_border_type',
    'comment',
    'cancel_reason',
    'cancelled_by',
    'cancellable',
    'supplier_status',
  ],
  [
    'label_codes',
    'parent_external_id',
    'related_external_ids',
    'boxes',
    'needs_boxes',
    'shipped_elsewhere',
    'packed_at',
  ],
] as const

test('an order of staff has the fields of its schema in their order, whatever is missing', () => {
  const bare = Object.fromEntries(groups.flat().map((column) => [column, null]))
  for (const group of groups) {
    const kept = Object.fromEntries(group.map((column) => [column, row[column]]))
    for (const each of [
      ...withNulls(row, group),
      ...withNulls({ ...row, ...bare, ...kept }, group),
    ]) {
      assertShown(StaffOrder, staffOrderView(each))
    }
  }
})
