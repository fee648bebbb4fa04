import type { ComponentChildren } from 'preact'
import type { Metrics } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { periodBefore } from '../../ui/days.ts'
import { Ranges, usePeriod } from '../../ui/lists/ranges.tsx'
import { number } from '../../words/format.ts'
import { noteInWords } from '../../words/metric-notes.ts'
import { account } from '../api.ts'
import { AskByApi, FigureByApi } from '../parts/copy.tsx'
import { Loaded, Page } from '../parts/page.tsx'
import { Compared } from './compare.tsx'
import {
  type Figure,
  funnelNames,
  metricsPath,
  moved,
  receiving,
  shipping,
  stored,
} from './figures.ts'
import { Funnel } from './funnel.tsx'

/** All figures of a period, equal to the API's, beside those of the period before. */
export function MetricsPage() {
  const period = usePeriod(30)
  const answer = useAnswer(`metrics ${period.from} ${period.to}`, async (signal) => {
    const [now, before] = await Promise.all([
      account('GET /metrics', { query: period, signal }),
      account('GET /metrics', { query: periodBefore(period), signal }),
    ])
    return { now, before, path: metricsPath(period) }
  })
  return (
    <Page title="Показатели">
      <Ranges usual={30} />
      <Loaded answer={answer}>{(both) => <Figures {...both} />}</Loaded>
      <AskByApi paths={[period, periodBefore(period)].map(metricsPath)} />
    </Page>
  )
}

interface Both {
  readonly now: Metrics
  readonly before: Metrics
  /** Of the call that answers with the figures. */
  readonly path: string
}

function Figures(both: Both) {
  const { now, before, path } = both
  const { receiving: received, shipments } = now
  return (
    <>
      <section class="panel stack" aria-labelledby="funnel">
        <h2 id="funnel">Путь товаров</h2>
        <Funnel {...both} />
      </section>
      <div class="figure-groups">
        <Group title="Приёмка" {...both} figures={receiving}>
          <div>
            <dt>Принято от заявленного</dt>
            <dd>
              <strong>{percent(received.fill_rate)}</strong>{' '}
              <span class="small quiet">было {percent(before.receiving.fill_rate)}</span>{' '}
              <FigureByApi name="Принято от заявленного" field="receiving.fill_rate" path={path} />
            </dd>
          </div>
        </Group>
        <Group title="Отгрузка" {...both} figures={shipping} />
        <Group title="Хранение" {...both} figures={[...stored, ...moved]} />
        <Counts
          title="Заказы по статусам"
          field="shipments.orders_by_status"
          path={path}
          rows={shipments.orders_by_status}
        />
        <Counts
          title="Недостачи по причинам"
          field="receiving.shortages_by_reason"
          path={path}
          rows={received.shortages_by_reason}
        />
        <Counts
          title="Не найдено по причинам"
          field="shipments.not_found_by_reason"
          path={path}
          rows={shipments.not_found_by_reason}
        />
      </div>
      {now.notes.map((note) => (
        <p key={note} class="small quiet">
          {noteInWords(note, funnelNames)}
        </p>
      ))}
    </>
  )
}

const percent = (part: number) =>
  part.toLocaleString('ru-RU', { style: 'percent', maximumFractionDigits: 2 })

interface GroupProps extends Both {
  readonly title: string
  readonly figures: readonly Figure[]
  readonly children?: ComponentChildren
}

function Group({ title, now, before, path, figures, children }: GroupProps) {
  return (
    <section class="panel stack">
      <h2>{title}</h2>
      <dl class="figure-list">
        {figures.map((figure) => {
          const { name, field, of } = figure
          return (
            <div key={field}>
              <dt>{name}</dt>
              <dd>
                <strong>{number(of(now))}</strong>{' '}
                {!stored.includes(figure) && <Compared now={of(now)} before={of(before)} />}{' '}
                <FigureByApi name={name} field={field} path={path} />
              </dd>
            </div>
          )
        })}
        {children}
      </dl>
    </section>
  )
}

interface CountsProps {
  readonly title: string
  readonly field: string
  readonly path: string
  readonly rows: readonly { readonly label: string; readonly count: number }[]
}

/** A figure by statuses or reasons; nothing where there is none. */
function Counts({ title, field, path, rows }: CountsProps) {
  if (rows.length === 0) return null
  return (
    <section class="panel stack">
      <div class="row">
        <h2>{title}</h2>
        <FigureByApi name={title} field={field} path={path} />
      </div>
      <dl class="figure-list">
        {rows.map(({ label, count }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <strong>{number(count)}</strong>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
