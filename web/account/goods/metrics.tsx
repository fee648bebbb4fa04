import type { ComponentChildren } from 'preact'
import type { Metrics } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { number } from '../../words/format.ts'
import { account } from '../api.ts'
import { useFilters } from '../parts/address.ts'
import { AskByApi } from '../parts/copy.tsx'
import { Day, Filters } from '../parts/filters.tsx'
import { Table } from '../parts/list.tsx'
import { Loaded, Page } from '../parts/page.tsx'
import { Compared } from './compare.tsx'
import { Funnel } from './funnel.tsx'
import { lastDays, metricsPath, periodBefore } from './period.ts'

/** All figures of a period, equal to the API's, beside those of the period before. */
export function MetricsPage() {
  const { filters } = useFilters()
  const usual = lastDays(30)
  const period = { from: filters.from ?? usual.from, to: filters.to ?? usual.to }
  const answer = useAnswer(`metrics ${period.from} ${period.to}`, async (signal) => {
    const [now, before] = await Promise.all([
      account('GET /metrics', { query: period, signal }),
      account('GET /metrics', { query: periodBefore(period), signal }),
    ])
    return { now, before }
  })
  return (
    <Page title="Показатели">
      <Filters names={['from', 'to']}>
        <Day name="from" label="С" value={period.from} />
        <Day name="to" label="До, не включая" value={period.to} />
      </Filters>
      <Loaded answer={answer}>{(both) => <Figures {...both} />}</Loaded>
      <AskByApi paths={[period, periodBefore(period)].map(metricsPath)} />
    </Page>
  )
}

interface Both {
  readonly now: Metrics
  readonly before: Metrics
}
type FigureOf = (metrics: Metrics) => number

function Figures({ now, before }: Both) {
  const both = { now, before }
  return (
    <>
      <section class="panel stack" aria-labelledby="funnel">
        <h2 id="funnel">Путь товаров</h2>
        <Funnel now={now.funnel} before={before.funnel} />
      </section>
      <div class="figure-groups">
        <Group title="Приёмка" {...both} figures={receiving}>
          <p>
            Принято от заявленного: <strong>{percent(now.receiving.fill_rate)}</strong>{' '}
            <span class="small quiet">было {percent(before.receiving.fill_rate)}</span>
          </p>
          <Reasons title="Недостачи по причинам" rows={now.receiving.shortages_by_reason} />
        </Group>
        <Group title="Хранение" {...both} figures={storage} />
        <Group title="Отгрузка" {...both} figures={shipping}>
          <Reasons title="Не найдено по причинам" rows={now.shipments.not_found_by_reason} />
        </Group>
        <section class="panel stack">
          <h2>Заказы по статусам</h2>
          <Reasons
            title="Заказы по статусам"
            rows={now.shipments.orders_by_status.map(({ status, ...rest }) => ({
              reason: status,
              ...rest,
            }))}
          />
        </section>
      </div>
      {now.notes.map((note) => (
        <p key={note} class="small quiet">
          {note}
        </p>
      ))}
    </>
  )
}

const percent = (part: number) =>
  part.toLocaleString('ru-RU', { style: 'percent', maximumFractionDigits: 2 })

const receiving: readonly (readonly [string, FigureOf])[] = [
  ['Приёмок', ({ receiving }) => receiving.receipts],
  ['Заявлено единиц', ({ receiving }) => receiving.expected_units],
  ['Принято единиц', ({ receiving }) => receiving.accepted_units],
  ['Расхождений, единиц', ({ receiving }) => receiving.discrepancy_units],
]
const storage: readonly (readonly [string, FigureOf])[] = [
  ['На складе сейчас', ({ storage }) => storage.units],
  ['Под вопросом сейчас', ({ storage }) => storage.in_question],
  ['Товаров', ({ storage }) => storage.sku_count],
  ['Коробов', ({ storage }) => storage.boxes],
  ['Паллет', ({ storage }) => storage.pallets],
]
const shipping: readonly (readonly [string, FigureOf])[] = [
  ['Заказов', ({ shipments }) => shipments.orders_total],
  ['Отгрузок закрыто', ({ shipments }) => shipments.shipments_closed],
  ['Отгружено единиц', ({ shipments }) => shipments.units_shipped],
  ['Отменено', ({ shipments }) => shipments.cancelled],
  ['Не найдено', ({ shipments }) => shipments.not_found],
]
/** These are of now, whatever the period. */
const ofNow = [storage]

interface GroupProps extends Both {
  readonly title: string
  readonly figures: readonly (readonly [string, FigureOf])[]
  readonly children?: ComponentChildren
}

function Group({ title, now, before, figures, children }: GroupProps) {
  return (
    <section class="panel stack">
      <h2>{title}</h2>
      <dl class="figure-list">
        {figures.map(([name, of]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{number(of(now))}</strong>{' '}
              {!ofNow.includes(figures) && <Compared now={of(now)} before={of(before)} />}
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  )
}

interface ReasonRow {
  readonly reason: string
  readonly label: string
  readonly count: number
}

function Reasons({ title, rows }: { readonly title: string; readonly rows: readonly ReasonRow[] }) {
  if (rows.length === 0) return null
  return (
    <Table
      caption={title}
      rows={rows}
      keyOf={({ reason }) => reason}
      columns={[
        { title, cell: ({ label }) => label },
        { title: 'Количество', isNumber: true, cell: ({ count }) => number(count) },
      ]}
    />
  )
}
