import type { Call } from './calls.ts'
import type { MarksFigures } from './marking.ts'

interface Figures {
  readonly storage: { readonly units: number; readonly boxes: number; readonly pallets: number }
  readonly receiving: {
    readonly receipts: number
    readonly expected_units: number
    readonly accepted_units: number
    readonly shortages_by_reason: readonly { readonly label: string; readonly count: number }[]
  }
  readonly shipments: {
    readonly orders_total: number
    readonly orders_by_status: readonly { readonly label: string; readonly count: number }[]
    readonly shipments_closed: number
    readonly units_shipped: number
  }
}

/** The day in the figures that the seller reads: GET /v1/metrics; and what became of marking codes, if that is known. */
export async function summaryOf(seller: Call, marks: MarksFigures | undefined): Promise<string> {
  const figures = await seller<Figures>('GET', '/metrics')
  const { storage, receiving, shipments } = figures
  const counted = (rows: readonly { readonly label: string; readonly count: number }[]) =>
    rows
      .filter(({ count }) => count > 0)
      .map(({ label, count }) => `${label} — ${count}`)
      .join(', ')
  return `
Итог дня, как его видит продавец (GET /v1/metrics)

Приёмки     ${receiving.receipts}: заявлено ${receiving.expected_units} шт., принято ${receiving.accepted_units}
Недостачи   ${counted(receiving.shortages_by_reason) || 'нет'}
Заказы      ${shipments.orders_total}: ${counted(shipments.orders_by_status)}
Отгрузки    ${shipments.shipments_closed}, уехало ${shipments.units_shipped} шт.
На складе   ${storage.units} шт., коробов ${storage.boxes}, паллет ${storage.pallets}
Коды        ${marks === undefined ? 'проба закончилась раньше, чем WB их проверил' : codesIn(marks)}
`
}

function codesIn({ proven, refused }: MarksFigures): string {
  return `WB принял ${proven}, не принял ${refused}: единица заменена до закрытия отгрузки`
}
