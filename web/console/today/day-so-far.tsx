import type { Flow } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { moscowDay, number } from '../../words/format.ts'
import { paths } from '../paths.ts'

const dayMs = 86_400_000
const refreshMs = 60_000

const flows = [
  { title: 'Принято', of: 'received' },
  { title: 'Отгружено', of: 'shipped' },
  { title: 'Вернулось', of: 'returned' },
] as const

/** What the warehouse has done today, beside the same hours of yesterday; each figure leads to its picture. */
export function DaySoFar() {
  const { data } = useAnswer('day so far', askBoth, { refreshMs })
  return (
    <nav class="day" aria-label="Сегодня на складе">
      {flows.map(({ title, of }) => (
        <a key={of} class="panel day-figure" href={paths.figures}>
          <span class="quiet">{title} сегодня</span>
          <strong>{data === undefined ? '…' : number(data.today[of])}</strong>
          <span class="small quiet">
            шт. · вчера к этому часу {data === undefined ? '…' : number(data.yesterday[of])}
          </span>
        </a>
      ))}
    </nav>
  )
}

async function askBoth(signal: AbortSignal) {
  const now = Date.now()
  const dayOf = (at: number) => moscowDay(new Date(at))
  const ask = (from: string, to: string) =>
    staff('GET /figures/flow', { query: { from, to, step: 'hour' }, signal })
  const [today, yesterday] = await Promise.all([
    ask(dayOf(now), dayOf(now + dayMs)),
    ask(dayOf(now - dayMs), dayOf(now)),
  ])
  return {
    today: totalsOf(today.items),
    yesterday: totalsOf(yesterday.items.filter(({ at }) => Date.parse(at) <= now - dayMs)),
  }
}

function totalsOf(hours: Flow['items']) {
  const totalOf = (of: (typeof flows)[number]['of']) =>
    hours.reduce((total, hour) => total + hour[of], 0)
  return {
    received: totalOf('received'),
    shipped: totalOf('shipped'),
    returned: totalOf('returned'),
  }
}
