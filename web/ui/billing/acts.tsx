import type { Act } from '../../api/staff-calls.ts'
import { dayName, monthName, roublesText } from '../../words/money.ts'
import type { Column } from '../lists/table.tsx'

interface ActHrefs {
  readonly charges: (act: Act) => string
  /** Where the act is, for its files. */
  readonly act: (act: Act) => string
}

export function actColumns(hrefs: ActHrefs): readonly Column<Act>[] {
  return [
    {
      title: 'Акт',
      cell: (act) => (
        <a href={hrefs.charges(act)}>
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
    { title: 'Файлы', cell: (act) => <ActFiles act={act} at={hrefs.act(act)} /> },
  ]
}

/** To sign, to check line by line, and to enter into books. Only the paper does not bring its own name. */
function ActFiles({ act: { number }, at }: { readonly act: Act; readonly at: string }) {
  const files = [
    { text: 'PDF', about: 'PDF', href: `${at}/file?format=pdf`, name: `act-${number}.pdf` },
    { text: 'Excel', about: 'детализация в Excel', href: `${at}/charges?format=xlsx` },
    { text: 'CSV', about: 'детализация в CSV', href: `${at}/charges?format=csv` },
    { text: '1С', about: 'для 1С', href: `${at}/file?format=1c` },
  ]
  return (
    <span class="row">
      {files.map(({ text, about, href, name = true }) => (
        <a key={text} href={href} download={name} aria-label={`Акт ${number}: ${about}`}>
          {text}
        </a>
      ))}
    </span>
  )
}
