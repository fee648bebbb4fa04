import { useState } from 'preact/hooks'
import type { Calls, SandboxTrigger } from '../../api/account-calls.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { account, sandboxPatienceMs as patienceMs } from '../api.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { AskByApi } from '../parts/copy.tsx'
import { Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'
import { Receivers } from './receivers.tsx'
import { Robot } from './robot.tsx'
import { SandboxError } from './sandbox-error.tsx'

type Name = SandboxTrigger['trigger']

const triggers: Readonly<Record<Name, string>> = {
  order_new: 'Новый заказ',
  order_cancelled: 'Заказ отменён',
  order_delivered: 'Заказ доставлен',
  unknown_status: 'Незнакомый статус заказа',
  goods_without_barcode: 'Заказ без штрихкода',
  mark_refused: 'Код маркировки не принят',
  receipt_confirmed: 'Заявка подтверждена',
  receipt_completed: 'Приёмка посчитана',
  receipt_with_shortage: 'Приёмка с недостачей',
  shipment_handed_over: 'Отгрузка передана',
  shipment_accepted: 'Отгрузка принята',
  goods_in_question: 'Товар под вопросом',
  empty_stock: 'Товар кончился',
  sync_error: 'Сбой синхронизации',
  sync_restored: 'Синхронизация снова идёт',
}

/** A warehouse that obeys: situations, time, receivers of webhooks, and the way back to the beginning. */
export function Sandbox() {
  const { session } = useSession()
  if (session.kind !== 'test_key') {
    return (
      <Page title="Песочница">
        <p class="notice warn">
          Песочница открывается тестовым ключом: выйдите и получите его на странице входа.
        </p>
      </Page>
    )
  }
  return (
    <Page title="Песочница">
      <p class="quiet">
        Вымышленный продавец со складом. Всё, что здесь происходит, идёт теми же событиями, что и в
        работе.
      </p>
      <Situations />
      <Time />
      <Robot />
      <Receivers />
      <SandboxError />
      <Reset />
      <AskByApi paths={['/me']} />
    </Page>
  )
}

const pathOf: Readonly<
  Record<SandboxTrigger['touched'][number]['object'], (id: string) => string>
> = {
  order: paths.order,
  receipt: paths.receipt,
  shipment: paths.shipment,
  stock_item: paths.stockItem,
  cabinet: () => paths.overview,
}

function Situations() {
  const [played, setPlayed] = useState<SandboxTrigger>()
  const playing = useAction(async (name: Name) => {
    setPlayed(await account('POST /sandbox/triggers/{name}', { path: { name }, patienceMs }))
  })
  const [first] = played?.touched ?? []
  return (
    <section class="panel stack" aria-labelledby="situations">
      <h2 id="situations">Сыграть ситуацию</h2>
      <div class="row">
        {(Object.keys(triggers) as Name[]).map((name) => (
          <button
            key={name}
            type="button"
            disabled={playing.busy}
            onClick={() => playing.run(name)}
          >
            {triggers[name]}
          </button>
        ))}
      </div>
      <Failure error={playing.error} />
      <p role="status">
        {playing.busy && 'Склад работает…'}
        {!playing.busy && played && (
          <>
            {played.message}. {first && <a href={pathOf[first.object](first.id)}>Посмотреть</a>}
          </>
        )}
      </p>
    </section>
  )
}

function Time() {
  const [passed, setPassed] = useState<Calls['POST /sandbox/advance']['answer']>()
  const action = useAction(async (hours: number) =>
    setPassed(await account('POST /sandbox/advance', { body: { hours }, patienceMs })),
  )
  return (
    <section class="panel stack" aria-labelledby="time">
      <h2 id="time">Продвинуть время склада</h2>
      <div class="row">
        {[
          [1, 'На час'],
          [24, 'На сутки'],
          [168, 'На неделю'],
        ].map(([hours, words]) => (
          <button
            key={hours}
            type="button"
            disabled={action.busy}
            onClick={() => action.run(Number(hours))}
          >
            {words}
          </button>
        ))}
      </div>
      <Failure error={action.error} />
      <p role="status">
        {action.busy && 'Склад работает…'}
        {!action.busy && passed && (
          <>
            {passed.message}. Новых заказов: {passed.new_orders}, посчитано приёмок:{' '}
            {passed.completed_receipts}, передано отгрузок: {passed.handed_over_shipments}.
          </>
        )}
      </p>
    </section>
  )
}

function Reset() {
  const [isDone, setDone] = useState(false)
  const reset = async () => {
    await account('POST /sandbox/reset', { patienceMs })
    setDone(true)
  }
  return (
    <section class="panel stack" aria-labelledby="reset">
      <h2 id="reset">Начать сначала</h2>
      <p class="quiet">
        Данные вернутся к исходному сценарию, ваши заявки и вебхуки удалятся. Ключ останется.
      </p>
      <div>
        <ConfirmButton
          label="Вернуть к началу"
          question="Вернуть песочницу к началу? Ваши заявки и вебхуки в ней удалятся."
          isDangerous
          act={reset}
        />
      </div>
      <p role="status">{isDone && 'Песочница возвращена к исходному сценарию.'}</p>
    </section>
  )
}
