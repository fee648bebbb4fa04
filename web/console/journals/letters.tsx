import type { NoticeLetter } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ExportLinks } from '../parts/export-links.tsx'

type State = NoticeLetter['state']

const states: Readonly<Record<State, { tone: Tone; word: string }>> = {
  waiting: { tone: 'now', word: 'ждёт' },
  sent: { tone: 'good', word: 'отправлено' },
  failed: { tone: 'bad', word: 'не удалось' },
  dropped: { tone: 'quiet', word: 'стало не о чем' },
}
const words = Object.fromEntries(Object.entries(states).map(([state, { word }]) => [state, word]))
const paces = { now: 'сразу', digest: 'сводка', code: 'код для адреса' } as const

const columns: readonly Column<NoticeLetter>[] = [
  { title: 'Когда', cell: ({ created_at: at }) => <Moment at={at} /> },
  { title: 'Кому', cell: ({ login }) => <span class="name">{login ?? 'удалён'}</span> },
  { title: 'Куда', cell: ({ channel }) => (channel === 'email' ? 'почта' : 'Telegram') },
  { title: 'Вид', cell: ({ pace }) => paces[pace] },
  { title: 'Уведомлений', cell: ({ notices }) => notices, end: true },
  { title: 'Попыток', cell: ({ attempts }) => attempts, end: true },
  {
    title: 'Что с ним',
    cell: ({ state, problem }) => (
      <>
        <Badge {...states[state]} />
        {problem !== null && <p class="small">{problem}</p>}
      </>
    ),
  },
  {
    title: 'Следующая попытка',
    cell: ({ state, due_at: at }) => state === 'waiting' && <Moment at={at} />,
  },
]

export default function Letters() {
  const { query } = useAddress()
  const state = (Object.keys(states) as State[]).find((each) => each === query.state)
  return (
    <div class="stack">
      <Heading title="Письма" about="Письма и сообщения с уведомлениями за 90 дней" />
      <Filters>
        <ChoiceFilter name="state" label="Что с ними" options={words} />
      </Filters>
      <List
        name="Письма"
        of={state ?? ''}
        columns={columns}
        keyOf={({ id }) => id}
        ask={({ signal, sort: _sort, ...page }) =>
          staff('GET /journal/notices', { query: { state, ...page }, signal })
        }
        files={<ExportLinks list="letters" filter={{ state }} />}
        empty="Писем не нашли. Сбросьте фильтр: здесь видно всё, что сервис отправлял."
      />
    </div>
  )
}
