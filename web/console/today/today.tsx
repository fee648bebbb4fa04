import type { Today as TodayAnswer } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Failure } from '../../ui/failure.tsx'
import { Heading } from '../../ui/heading.tsx'
import { useModule } from '../../ui/use-module.ts'
import { isAtLeast } from '../rooms.ts'
import { readScope } from '../scope/kept.ts'
import { Burning } from './burning.tsx'
import { DaySoFar } from './day-so-far.tsx'
import { FlowLine } from './flow.tsx'
import { Receiving } from './goods.tsx'
import { InQuestion, Returns, Shipments, ToPick } from './orders.tsx'
import { PeopleAtWork } from './people.tsx'

const refreshMs = 15_000

/** The first page: what waits for the warehouse now, each thing with what to do about it. */
export function Today() {
  const manages = isAtLeast(useSession().user, 'manager')
  const scope = readScope(useAddress().query)
  const { data, error, reload } = useAnswer(
    `today of ${JSON.stringify(scope)}`,
    (signal) => staff('GET /today', { query: scope, signal }),
    { refreshMs },
  )
  return (
    <div class="stack">
      <Heading title="Что ждёт сегодня" />
      {data && <FlowLine flow={data.flow} />}
      <Failure error={error} retry={reload} />
      {data === undefined ? (
        <div class="waiting" aria-busy="true" />
      ) : (
        <Sections today={data} reload={reload} />
      )}
      {manages && <DaySoFar />}
    </div>
  )
}

interface SectionsProps {
  readonly today: TodayAnswer
  readonly reload: () => void
}

/** What waits comes first; what does not exist now is named at the end. Workers see what they work on. */
function Sections({ today, reload }: SectionsProps) {
  const manages = isAtLeast(useSession().user, 'manager')
  const absent = absentOf(today, manages)
  const curve = useModule(() => import('./day-curve.tsx'))
  const lots = useModule(() => import('./expiring.tsx'))
  return (
    <>
      <div class="today">
        <Burning today={today} manages={manages} reload={reload} />
        {curve && <curve.DayCurve />}
        <ToPick toPick={today.to_pick} />
        <Shipments shipments={today.shipments} reload={reload} />
        <Receiving receiving={today.receiving} />
        {manages && <PeopleAtWork />}
        {manages && lots && <lots.Expiring expiring={today.expiring} />}
        {manages && <InQuestion question={today.in_question} />}
        <Returns returns={today.returns} manages={manages} />
      </div>
      {absent.length > 0 && <p class="absent">Сейчас нет: {absent.join(', ')}.</p>}
    </>
  )
}

function absentOf(today: TodayAnswer, manages: boolean): string[] {
  const work: readonly [string, number | undefined][] = [
    ['заказов без отгрузки', today.to_pick.total],
    ['открытых отгрузок', today.shipments.total],
    ['исключений', today.exceptions?.total],
    ['ненайденных товаров', today.misses?.total],
    ['непринятых кодов', today.refused_marks?.total],
    ['новых заявок продавцов', today.receipts?.total],
    ['заявок на ключи', today.key_requests?.total],
    ['приёмок', today.receiving.total],
    ['возвратов', today.returns.ready + today.returns.open_batches],
    ['открытых пересчётов', today.counts.total],
  ]
  const managed: typeof work = [
    ['нехватки товара', today.uncovered.total],
    ['товаров под вопросом', today.in_question.total],
    ['товаров, у которых истекает срок', today.expiring.total],
    ['проблем с кабинетами', today.cabinets.total],
    ['отключённых вебхуков', today.webhooks.total],
  ]
  return [...work, ...(manages ? managed : [])]
    .filter(([, total]) => total === 0)
    .map(([title]) => title)
}
