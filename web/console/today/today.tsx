import type { Today as TodayAnswer } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { Heading } from '../parts/heading.tsx'
import { Counts, Exceptions, Receipts, Receiving } from './goods.tsx'
import { Cabinets, Webhooks } from './links.tsx'
import { InQuestion, Returns, Shipments, Uncovered } from './orders.tsx'

const refreshMs = 15_000

/** The first page: what waits for the warehouse now, each thing with what to do about it. */
export function Today() {
  const { data, error, reload } = useAnswer('today', (signal) => staff('GET /today', { signal }), {
    refreshMs,
  })
  return (
    <div class="stack">
      <Heading title="Что ждёт сегодня" />
      <Failure error={error} retry={reload} />
      {data === undefined ? (
        <div class="waiting" aria-busy="true" />
      ) : (
        <Sections today={data} reload={reload} />
      )}
    </div>
  )
}

interface SectionsProps {
  readonly today: TodayAnswer
  readonly reload: () => void
}

/** What waits comes first; what is calm is named at the end. */
function Sections({ today, reload }: SectionsProps) {
  const calm = calmOf(today)
  return (
    <>
      <div class="today">
        <Shipments shipments={today.shipments} />
        {today.exceptions && <Exceptions exceptions={today.exceptions} reload={reload} />}
        {today.receipts && <Receipts receipts={today.receipts} reload={reload} />}
        <Uncovered uncovered={today.uncovered} />
        <Receiving receiving={today.receiving} />
        <InQuestion question={today.in_question} />
        <Returns returns={today.returns} />
        <Counts counts={today.counts} />
        <Cabinets cabinets={today.cabinets} />
        <Webhooks webhooks={today.webhooks} />
      </div>
      {calm.length > 0 && <p class="calm">Спокойно: {calm.join(', ')}.</p>}
    </>
  )
}

function calmOf(today: TodayAnswer): string[] {
  const totals: readonly [string, number | undefined][] = [
    ['отгрузки', today.shipments.total],
    ['исключения', today.exceptions?.total],
    ['заявки продавцов', today.receipts?.total],
    ['нехватка товара', today.uncovered.total],
    ['приёмки', today.receiving.total],
    ['товары под вопросом', today.in_question.total],
    ['возвраты', today.returns.ready + today.returns.open_batches],
    ['пересчёты', today.counts.total],
    ['кабинеты', today.cabinets.total],
    ['вебхуки', today.webhooks.total],
  ]
  return totals.filter(([, total]) => total === 0).map(([title]) => title)
}
