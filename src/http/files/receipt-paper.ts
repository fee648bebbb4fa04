import {
  barcodeColumn,
  goodsColumn,
  momentOnPaper,
  numberColumn,
  type Paper,
  signed,
} from '../../documents/papers/paper.ts'
import type { Receipt } from '../../warehouse/receipts/view.ts'

/** A receipt with the name of the client that brought it. */
export type ReceiptOnPaper = Receipt & { readonly client_name: string }

/** The discrepancy act of a receipt: every line that differs from what was announced. */
export function receiptPaper(receipt: ReceiptOnPaper): Paper {
  const items = receipt.items ?? []
  const differing = items.filter(({ expected_qty, accepted_qty }) => expected_qty !== accepted_qty)
  return {
    title: `Акт о расхождениях, приёмка ${receipt.number}`,
    facts: [
      ['Клиент', receipt.client_name],
      ...(receipt.external_ref === undefined
        ? []
        : [['Документ продавца', receipt.external_ref] as const]),
      ['Состояние', receipt.status_label],
      [
        'Закончена',
        receipt.completed_at === null ? 'ещё идёт' : momentOnPaper(receipt.completed_at),
      ],
      ['Заявлено', `${receipt.expected_qty} шт.`],
      ['Принято', `${receipt.accepted_qty} шт.`],
    ],
    tables: [
      {
        title: 'Расхождения',
        columns: [
          barcodeColumn,
          goodsColumn,
          numberColumn('Заявлено'),
          numberColumn('Принято'),
          numberColumn('Разница'),
          { title: 'Причина', share: 4 },
        ],
        rows: differing.map((item) => [
          item.barcode,
          item.name,
          String(item.expected_qty),
          String(item.accepted_qty),
          signed(item.accepted_qty - item.expected_qty),
          item.shortage_reason ?? (item.accepted_qty > item.expected_qty ? 'излишек' : ''),
        ]),
      },
    ],
    notes: differing.length === 0 ? ['Расхождений нет.'] : [],
    signatures: ['Принял (склад)', 'Сдал'],
  }
}
