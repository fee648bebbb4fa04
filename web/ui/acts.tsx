import type { Act } from '../api/staff-calls.ts'
import { dayName, monthName, roublesText } from '../words/money.ts'
import type { Column } from './table.tsx'

export function actColumns(hrefOf: (act: Act) => string): readonly Column<Act>[] {
  return [
    {
      title: 'Акт',
      cell: (act) => (
        <a href={hrefOf(act)}>
          Акт {act.number} от {dayName(act.day)}
        </a>
      ),
    },
    { title: 'Месяц', cell: ({ period }) => monthName(period) },
    { title: 'Сумма', end: true, cell: ({ amount }) => roublesText(amount) },
    {
      title: 'НДС',
      end: true,
      cell: ({ vat, vat_rate }) =>
        vat_rate === null ? 'без НДС' : `${roublesText(vat)} (${vat_rate} %)`,
    },
    { title: 'К оплате', end: true, main: true, cell: ({ total }) => roublesText(total) },
    { title: 'Исполнитель', cell: ({ provider_name }) => provider_name },
  ]
}
