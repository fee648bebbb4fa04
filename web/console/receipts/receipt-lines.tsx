import type { StaffReceipt, StaffReceiptItem } from '../../api/staff-calls.ts'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { number } from '../../words/format.ts'
import { ExportLinks } from '../parts/export-links.tsx'
import { Goods } from '../parts/goods.tsx'

/** Nothing differs before somebody counts. */
const columnsOf = (client: string, isCounted: boolean): readonly Column<StaffReceiptItem>[] => [
  { title: 'Товар', cell: (line) => <Goods client={client} goods={line} pictured /> },
  { title: 'Заявлено', end: true, cell: ({ expected_qty: qty }) => number(qty) },
  { title: 'Принято', end: true, cell: ({ accepted_qty: qty }) => number(qty) },
  {
    title: 'Разница',
    end: true,
    cell: (line) => (isCounted ? <Difference line={line} /> : <span class="quiet">—</span>),
  },
  {
    title: 'Замечания',
    cell: (line) =>
      [
        line.unlisted && 'в заявке не было',
        line.honest_mark && 'по коду маркировки',
        line.shortage_reason && `недостача: ${line.shortage_reason}`,
      ]
        .filter(Boolean)
        .join(', '),
  },
]

function Difference({ line }: { readonly line: StaffReceiptItem }) {
  const difference = line.accepted_qty - line.expected_qty
  if (difference === 0) return <span class="quiet">0</span>
  const text = difference > 0 ? `+${number(difference)}` : `−${number(-difference)}`
  return <b class={line.discrepancy_qty > 0 ? 'problem' : undefined}>{text}</b>
}

interface ReceiptLinesProps {
  readonly receipt: StaffReceipt
  readonly isCounted: boolean
}

export function ReceiptLines({ receipt, isCounted }: ReceiptLinesProps) {
  const lines = receipt.items ?? []
  if (lines.length === 0) return <div class="empty">Товаров пока нет: их добавят сканы.</div>
  return (
    <Table
      name="Товары приёмки"
      rows={lines}
      columns={columnsOf(receipt.client_id, isCounted)}
      keyOf={({ barcode }) => barcode}
      files={<ExportLinks list="receipt-lines" filter={{ receipt_id: receipt.id }} />}
    />
  )
}
