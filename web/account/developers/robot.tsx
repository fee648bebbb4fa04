import type { ComponentChildren } from 'preact'
import type { Receipt, Shipment } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { account } from '../api.ts'
import { Loaded } from '../parts/page.tsx'
import { paths } from '../paths.ts'

/** When the robot acts, as `src/sandbox/robot` says. */
const minuteMs = 60_000
const confirmsAfter = 1
const countsUntil = 3
const closesAfter = 30
const acceptsAfter = 10
/** The robot leaves the receipts alone that were there from the beginning. */
const freshMinutes = 60

const outcomes = [
  { given: 'штрихкод заканчивается на -MISSING', counted: '0', reason: 'товар не привезён' },
  { given: 'количество заканчивается на 13', counted: 'на 1 меньше', reason: 'товар повреждён' },
  { given: 'количество заканчивается на 17', counted: 'на 2 меньше', reason: 'товар не привезён' },
  {
    given: 'количество заканчивается на 19',
    counted: 'на 1 больше',
    reason: 'лишняя под вопросом',
  },
  { given: 'любое другое', counted: 'сколько заявлено', reason: '—' },
]

/** What the robot that plays the warehouse does next, and how it counts. */
export function Robot() {
  const answer = useAnswer(
    'robot',
    async (signal) => {
      const query = { limit: 5 }
      const [receipts, assembling, closed] = await Promise.all([
        account('GET /receipts', { query, signal }),
        account('GET /shipments', { query: { ...query, status: 'ASSEMBLING' }, signal }),
        account('GET /shipments', { query: { ...query, status: 'HANDED_OVER' }, signal }),
      ])
      return stepsOf(receipts.items, [...assembling.items, ...closed.items], Date.now())
    },
    { refreshMs: 10_000 },
  )
  return (
    <section class="panel stack" aria-labelledby="robot">
      <h2 id="robot">Что робот сделает дальше</h2>
      <p class="quiet">
        Склад играет робот. Он работает, пока песочницей пользуются; продвиньте время, чтобы не
        ждать.
      </p>
      <Loaded answer={answer}>
        {(steps) => (
          <ul>
            {steps}
            <li>Новый заказ WB придёт примерно через две минуты, пока есть свободный товар.</li>
          </ul>
        )}
      </Loaded>
      <details>
        <summary>Чем закончится пересчёт вашей заявки</summary>
        <Table
          name="Чем закончится пересчёт"
          rows={outcomes}
          keyOf={({ given }) => given}
          columns={[
            { title: 'В заявке', cell: ({ given }) => given },
            { title: 'Примет', cell: ({ counted }) => counted },
            { title: 'Причина', cell: ({ reason }) => reason },
          ]}
        />
      </details>
    </section>
  )
}

const at = (moment: string, minutes: number) =>
  new Date(Date.parse(moment) + minutes * minuteMs).toISOString()

/** The robot's next turn, for a moment that has passed while nobody used the sandbox. */
function Near({ at: moment, now }: { readonly at: string; readonly now: number }) {
  if (Date.parse(moment) <= now) return <>вот-вот</>
  return (
    <>
      около <Moment at={moment} />
    </>
  )
}

function stepsOf(
  receipts: readonly Receipt[],
  shipments: readonly Shipment[],
  now: number,
): ComponentChildren[] {
  const isFresh = ({ created_at }: Receipt) =>
    now - Date.parse(created_at) < freshMinutes * minuteMs
  const counted = receipts.filter((each) => isFresh(each) && each.completed_at === null)
  return [
    ...counted.map(({ id, number, status, created_at }) => (
      <li key={id}>
        <a href={paths.receipt(id)}>Приёмка {number}</a>:{' '}
        {status === 'PENDING_CONFIRMATION' ? (
          <>
            подтвердит <Moment at={at(created_at, confirmsAfter)} />, пересчитает
          </>
        ) : (
          'пересчитает'
        )}{' '}
        не позже <Moment at={at(created_at, countsUntil)} />.
      </li>
    )),
    ...shipments
      .filter(({ marketplace }) => marketplace === 'WB')
      .map(({ id, external_id, status, created_at, closed_at }) => (
        <li key={id}>
          <a href={paths.shipment(id)}>Отгрузка {external_id}</a>:{' '}
          {status === 'ASSEMBLING' ? (
            <>
              соберёт заказы и закроет <Near at={at(created_at, closesAfter)} now={now} />.
            </>
          ) : (
            <>
              маркетплейс примет <Near at={at(closed_at ?? created_at, acceptsAfter)} now={now} />.
            </>
          )}
        </li>
      )),
  ]
}
