import { allowsReceiptVerb } from '../../../src/warehouse/receipts/state.ts'
import type { ReceiptScan, StaffReceipt } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { ExportLinks } from '../parts/export-links.tsx'
import { Goods } from '../parts/goods.tsx'

interface ReceiptScansProps {
  readonly receipt: StaffReceipt
  readonly onChange: () => void
}

/** Every scan, newest first; one that was wrong is taken back while the receipt is counted. */
export function ReceiptScans({ receipt, onChange }: ReceiptScansProps) {
  const { id, status } = receipt
  const undo = async (scanId: string) => {
    await staff('POST /receipts/{id}/scans/{scan_id}/undo', { path: { id, scan_id: scanId } })
    onChange()
  }
  const columns: readonly Column<ReceiptScan>[] = [
    { title: 'Когда', cell: ({ scanned_at: at }) => <Moment at={at} /> },
    { title: 'Товар', cell: (scan) => <Goods client={receipt.client_id} goods={scan} /> },
    { title: 'Единиц', end: true, cell: ({ qty }) => number(qty) },
    { title: 'Кто', cell: (scan) => scan.scanned_by_name ?? scan.scanned_by },
    {
      title: 'Отмена',
      cell: (scan) =>
        scan.undone ? (
          <span class="quiet">отменён</span>
        ) : (
          allowsReceiptVerb(status, 'count') && (
            <ActionButton label="Отменить" act={() => undo(scan.scan_id)} />
          )
        ),
    },
  ]
  return (
    <List
      name="Сканы приёмки"
      of={`${id} ${receipt.accepted_qty}`}
      columns={columns}
      keyOf={({ scan_id: scan }) => scan}
      ask={({ signal, ...page }) =>
        staff('GET /receipts/{id}/scans', { path: { id }, query: page, signal })
      }
      files={<ExportLinks list="receipt-scans" filter={{ receipt_id: id }} />}
      empty="Сканов ещё нет: их делают на терминале."
    />
  )
}
