import { useRoute } from 'preact-iso'
import { firstNames } from '../../../src/platform/kernel/sentences.ts'
import { afterCountVerb, type CountVerb, isAtWork } from '../../../src/warehouse/counts/state.ts'
import type { StockCount } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { paths as handheld } from '../../handheld/paths.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number, plural } from '../../words/format.ts'
import { ChargeLink } from '../money/charge-link.tsx'
import { ClientLink } from '../parts/client-link.tsx'
import { HandheldLink } from '../parts/handheld-link.tsx'
import { NotOpened } from '../parts/not-opened.tsx'
import { ObjectJournal } from '../parts/object-journal.tsx'
import { ObjectPhotos } from '../parts/object-photos.tsx'
import { Paper } from '../parts/paper.tsx'
import { isAtLeast } from '../rooms.ts'
import { CountLines, isDecided } from './count-lines.tsx'
import { CountState, isCompared, isCounted } from './count-state.tsx'
import { scopeWords } from './counts.tsx'

export default function CountPage() {
  const id = useRoute().params.id ?? ''
  const manages = isAtLeast(useSession().user, 'manager')
  const { data, error, reload } = useAnswer(
    `count ${id}`,
    (signal) => staff('GET /counts/{id}', { path: { id }, signal }),
    { refreshMs: 10_000 },
  )
  if (data === undefined) return <NotOpened error={error} retry={reload} />
  return (
    <div class="stack">
      <Heading
        title={`Пересчёт: ${scopeWords(data).toLowerCase()}`}
        about={
          <>
            <CountState of={data} /> <ClientLink id={data.client_id} name={data.client_name} />
          </>
        }
      >
        {manages && <Actions count={data} reload={reload} />}
        {data.status === 'COUNTING' && <HandheldLink href={handheld.counting(id)} />}
        <Paper kind="count" id={id} label="Результат" />
        {manages && canCancel(data) && <Cancel count={data} reload={reload} />}
      </Heading>
      <Failure error={error} retry={reload} />
      {isCounted(data) && <Counted count={data} />}
      <div class="object">
        <CountLines count={data} manages={manages} reload={reload} />
        <div class="stack">
          <About count={data} />
          <ObjectPhotos of="counts" id={id} />
          <ObjectJournal id={id} version={`${data.status} ${data.undecided}`} />
        </div>
      </div>
    </div>
  )
}

interface ActionsProps {
  readonly count: StockCount
  readonly reload: () => void
}

function Actions({ count, reload }: ActionsProps) {
  const path = { id: count.id }
  const act = (call: () => Promise<unknown>) => async () => {
    await call()
    reload()
  }
  const undecided = count.undecided ?? 0
  return (
    <>
      {allows(count, 'start') && (
        <ActionButton
          primary
          label="Начать"
          act={act(() => staff('POST /counts/{id}/start', { path }))}
        />
      )}
      {allows(count, 'review') && (
        <ReviewButton count={count} act={act(() => staff('POST /counts/{id}/review', { path }))} />
      )}
      {allows(count, 'close') && (
        <ConfirmButton
          primary
          label="Закрыть"
          question="Закрыть пересчёт?"
          consequence="Решения уже в остатках. Открыть пересчёт снова будет нельзя."
          because={undecided > 0 ? `Сначала решите строки: ${undecided}` : undefined}
          act={act(() => staff('POST /counts/{id}/close', { path }))}
        />
      )}
    </>
  )
}

function Cancel({ count: { id }, reload }: ActionsProps) {
  return (
    <ConfirmButton
      danger
      label="Отменить"
      question="Отменить пересчёт?"
      consequence="Посчитанное не попадёт в остатки."
      act={async () => {
        await staff('POST /counts/{id}/cancel', { path: { id } })
        reload()
      }}
    />
  )
}

interface ReviewButtonProps {
  readonly count: StockCount
  readonly act: () => Promise<unknown>
}

/** Asks first where somebody has not said yet that nothing is left to count. */
function ReviewButton({ count, act }: ReviewButtonProps) {
  const label = 'Отдать на проверку'
  const atWork = namesOf(count, (worker) => isAtWork(worker, count.reviewed_at))
  if (atWork.length === 0)
    return <ActionButton primary={isCounted(count)} label={label} act={act} />
  return (
    <ConfirmButton
      label={label}
      question="Отдать на проверку сейчас?"
      consequence={`Ещё считают: ${atWork.join(', ')}. Их сканы больше не примут, а чего не посчитали, то запишут как 0.`}
      act={act}
    />
  )
}

type Worker = NonNullable<StockCount['workers']>[number]

function namesOf({ workers = [] }: StockCount, which: (worker: Worker) => boolean): string[] {
  return workers.filter(which).map(({ actor, name }) => name ?? actor)
}

/** Who counted, what nobody counted, and that it is the manager's turn. */
function Counted({ count }: { readonly count: StockCount }) {
  const { uncounted = [] } = count
  return (
    <p class="notice warn">
      Всё посчитали: {namesOf(count, () => true).join(', ')}. Отдайте на проверку и решите, что
      делать с разницей.
      {uncounted.length > 0 &&
        ` Не посчитано и будет записано как 0: ${firstNames(uncounted.map(({ name }) => name))}.`}
    </p>
  )
}

function allows({ status }: StockCount, verb: CountVerb): boolean {
  return afterCountVerb(status, verb) !== undefined
}

/** What was decided on is in the stock already: such a count can only be closed. */
function canCancel(count: StockCount): boolean {
  return allows(count, 'cancel') && !count.lines?.some(isDecided)
}

function About({ count }: { readonly count: StockCount }) {
  return (
    <section class="panel stack" aria-label="О пересчёте">
      <Facts
        of={{
          Посчитано: `${number(count.units)} шт., ${plural(count.scans, 'скан', 'скана', 'сканов')}`,
          ...(isCompared(count) && {
            Расходится: count.differing,
            'Не решено': count.undecided,
          }),
          Вслепую: count.blind ? 'да' : 'нет',
          'По просьбе клиента': count.for_client ? 'да' : 'нет',
          Заведён: <Moment at={count.created_at} />,
          Начат: count.started_at && <Moment at={count.started_at} />,
          'На проверке': count.reviewed_at && <Moment at={count.reviewed_at} />,
          Закончен: count.ended_at && <Moment at={count.ended_at} />,
        }}
      />
      {count.workers && count.workers.length > 0 && (
        <Facts
          of={Object.fromEntries(
            count.workers.map((worker) => [
              worker.name ?? worker.actor,
              <>
                {number(worker.units)} шт.
                {worker.finished_at && (
                  <>
                    {' '}
                    · готово <Moment at={worker.finished_at} />
                  </>
                )}
                {count.status === 'COUNTING' && isAtWork(worker, count.reviewed_at) && ' · считает'}
              </>,
            ]),
          )}
        />
      )}
      <ChargeLink of="count" object={count} />
    </section>
  )
}
