import type { Today as TodayAnswer } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Heading } from '../parts/heading.tsx'
import { isAtLeast } from '../rooms.ts'
import { DaySoFar } from './day-so-far.tsx'
import { Counts, Exceptions, Receipts, Receiving } from './goods.tsx'
import { Cabinets, Webhooks } from './links.tsx'
import { InQuestion, Returns, Shipments, Uncovered } from './orders.tsx'

const refreshMs = 15_000

/** The first page: what waits for the warehouse now, each thing with what to do about it. */
export function Today() {
  const manages = isAtLeast(useSession().user, 'manager')
  const { data, error, reload } = useAnswer('today', (signal) => staff('GET /today', { signal }), {
    refreshMs,
  })
  return (
    <div class="stack">
      <Heading title="Что ждёт сегодня" />
      {manages && <DaySoFar />}
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

/** What waits comes first; what is calm is named at the end. Workers see what they work on. */
function Sections({ today, reload }: SectionsProps) {
  const manages = isAtLeast(useSession().user, 'manager')
  const calm = calmOf(today, manages)
  return (
    <>
      <div class="today">
        <Shipments shipments={today.shipments} reload={reload} />
        {today.exceptions && <Exceptions exceptions={today.exceptions} reload={reload} />}
        {today.receipts && <Receipts receipts={today.receipts} reload={reload} />}
        {manages && <Uncovered uncovered={today.uncovered} />}
        <Receiving receiving={today.receiving} />
        {manages && <InQuestion question={today.in_question} />}
        <Returns returns={today.returns} manages={manages} />
        <Counts counts={today.counts} />
        {manages && <Cabinets cabinets={today.cabinets} reload={reload} />}
        {manages && <Webhooks webhooks={today.webhooks} />}
      </div>
      {calm.length > 0 && <p class="calm">Спокойно: {calm.join(', ')}.</p>}
    </>
  )
}

function calmOf(today: TodayAnswer, manages: boolean): string[] {
  const work: readonly [string, number | undefined][] = [
    ['отгрузки', today.shipments.total],
    ['исключения', today.exceptions?.total],
    ['заявки продавцов', today.receipts?.total],
    ['приёмки', today.receiving.total],
    ['возвраты', today.returns.ready + today.returns.open_batches],
    ['пересчёты', today.counts.total],
  ]
  const managed: typeof work = [
    ['нехватка товара', today.uncovered.total],
    ['товары под вопросом', today.in_question.total],
    ['кабинеты', today.cabinets.total],
    ['вебхуки', today.webhooks.total],
  ]
  return [...work, ...(manages ? managed : [])]
    .filter(([, total]) => total === 0)
    .map(([title]) => title)
}
