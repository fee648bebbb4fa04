import type { Metrics } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { lastDays, type Period, periodBefore } from '../../ui/days.ts'
import { Failure } from '../../ui/failure.tsx'
import { type Bar, Bars } from '../../ui/figures/bars.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { number } from '../../words/format.ts'
import { noteInWords } from '../../words/metric-notes.ts'

const periods: Readonly<Record<string, { readonly title: string; readonly days: number }>> = {
  day: { title: 'Сегодня', days: 1 },
  week: { title: '7 дней', days: 7 },
  month: { title: '30 дней', days: 30 },
}

/** The seller's own figures by the same code, beside those of the period before. */
export function Figures({ clientId }: { readonly clientId: string }) {
  const { query, hrefWith } = useAddress()
  const chosen = query.period !== undefined && query.period in periods ? query.period : 'week'
  const days = periods[chosen]?.days ?? 7
  const { data, error, reload } = useAnswer(
    `figures ${clientId} ${days}`,
    (signal) => askBoth(clientId, days, signal),
    { refreshMs: 60_000 },
  )
  return (
    <div class="stack">
      <nav class="row" aria-label="Период">
        {Object.entries(periods).map(([name, { title }]) => (
          <a
            key={name}
            class="button"
            aria-current={name === chosen ? 'true' : undefined}
            href={hrefWith({ period: name })}
          >
            {title}
          </a>
        ))}
      </nav>
      {data === undefined ? (
        <Waiting error={error} retry={reload} />
      ) : (
        <>
          <Failure error={error} retry={reload} />
          <Pictures now={data.now} before={data.before} />
        </>
      )}
    </div>
  )
}

async function askBoth(clientId: string, days: number, signal: AbortSignal) {
  const period = lastDays(days)
  const ask = (query: Period) =>
    staff('GET /clients/{id}/metrics', { path: { id: clientId }, query, signal })
  const [now, before] = await Promise.all([ask(period), ask(periodBefore(period))])
  return { now, before }
}

interface PicturesProps {
  readonly now: Metrics
  readonly before: Metrics
}

function Pictures({ now, before }: PicturesProps) {
  return (
    <>
      <div class="pictures">
        <Picture title="Путь единиц" bars={funnelOf(now, before)} />
        <Picture title="Заказы по статусам" bars={ordersOf(now, before)} />
        <Picture title="Недостача по причинам" bars={reasonsOf(now, before, 'receiving')} />
        <Picture title="Не найдено при сборке" bars={reasonsOf(now, before, 'shipments')} />
      </div>
      <section class="panel stack">
        <h2>Сейчас на складе</h2>
        <p>
          Единиц {number(now.storage.units)}, под вопросом {number(now.storage.in_question)}, разных
          товаров {number(now.storage.sku_count)}, коробов {number(now.storage.boxes)}, паллет{' '}
          {number(now.storage.pallets)}.
        </p>
        {now.notes.map((note) => (
          <p key={note} class="quiet small">
            {noteInWords(note, funnelNames)}
          </p>
        ))}
      </section>
    </>
  )
}

function Picture({ title, bars }: { readonly title: string; readonly bars: readonly Bar[] }) {
  return (
    <section class="panel stack">
      <h2>{title}</h2>
      {bars.length === 0 ? (
        <p class="quiet">За период ничего.</p>
      ) : (
        <Bars name={title} bars={bars} />
      )}
    </section>
  )
}

const funnelNames = {
  accepted: 'Принято',
  in_storage: 'На складе сейчас',
  shipped: 'Отгружено',
  sorted_by_marketplace: 'Отсортировано',
  delivered: 'Получено покупателем',
} as const

function funnelOf({ funnel: now }: Metrics, { funnel: before }: Metrics): Bar[] {
  const then = (step: keyof typeof funnelNames) =>
    step === 'in_storage' ? {} : { before: before[step] }
  return (Object.keys(funnelNames) as (keyof typeof funnelNames)[]).map((step) => ({
    label: funnelNames[step],
    value: now[step],
    ...then(step),
  }))
}

function ordersOf(now: Metrics, before: Metrics): Bar[] {
  const earlier = new Map(
    before.shipments.orders_by_status.map(({ status, count }) => [status, count]),
  )
  return now.shipments.orders_by_status.map(({ status, label, count }) => ({
    label,
    value: count,
    before: earlier.get(status) ?? 0,
  }))
}

function reasonsOf(now: Metrics, before: Metrics, room: 'receiving' | 'shipments'): Bar[] {
  const of = (metrics: Metrics) =>
    room === 'receiving'
      ? metrics.receiving.shortages_by_reason
      : metrics.shipments.not_found_by_reason
  const earlier = new Map(of(before).map(({ reason, count }) => [reason, count]))
  return of(now).map(({ reason, label, count }) => ({
    label,
    value: count,
    before: earlier.get(reason) ?? 0,
  }))
}
