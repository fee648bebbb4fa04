import { useEffect, useRef, useState } from 'preact/hooks'
import type { Delivery, LoggedAttempt } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useAddress } from '../../ui/address.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { ChoiceFilter, Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { account } from '../api.ts'
import { AskByApi } from '../parts/copy.tsx'
import { ObjectFiles } from '../parts/list-files.tsx'
import { Badge, Loaded } from '../parts/page.tsx'
import { useSession } from '../session.tsx'
import { SignatureCheck } from './signature.tsx'

const words = { PENDING: 'Ждёт', DELIVERED: 'Доставлено', FAILED: 'Не доставлено' } as const
const tones = { PENDING: 'busy', DELIVERED: 'good', FAILED: 'bad' } as const

/** Somebody mends a receiver and watches what comes of it. */
export const deliveriesRefreshMs = 5_000

interface DeliveriesProps {
  readonly id: string
  readonly round: number
  readonly changed: () => void
}

/** The delivery log of a webhook; one delivery of it with its attempts, its body and its signature. */
export function Deliveries({ id, round, changed }: DeliveriesProps) {
  const { query: filters } = useAddress()
  const status = filters.status as Delivery['status'] | undefined
  const [shown, setShown] = useState<string>()
  return (
    <>
      <Filters>
        <ChoiceFilter name="status" label="Состояние" options={words} />
      </Filters>
      <List<Delivery>
        of={`deliveries ${id} ${status}`}
        version={round}
        refreshMs={deliveriesRefreshMs}
        name="Доставки"
        keyOf={(delivery) => delivery.id}
        ask={({ signal, ...page }) =>
          account('GET /webhooks/{id}/deliveries', {
            path: { id },
            query: { status, ...page },
            signal,
          })
        }
        files={<ObjectFiles list="deliveries" id={id} filter={{ status }} />}
        empty={
          <p>Доставок ещё нет. Проверьте подписку кнопкой «Проверить»: придёт пробное событие.</p>
        }
        columns={[
          { title: 'Событие', cell: ({ event_type }) => <code>{event_type}</code> },
          {
            title: 'Состояние',
            main: true,
            cell: (delivery) => (
              <Badge tone={tones[delivery.status]}>{words[delivery.status]}</Badge>
            ),
          },
          { title: 'Попыток', end: true, cell: ({ attempts }) => number(attempts) },
          { title: 'Последняя', cell: ({ last_attempt_at }) => <Moment at={last_attempt_at} /> },
          { title: 'Следующая', cell: ({ next_attempt_at }) => <Moment at={next_attempt_at} /> },
          {
            title: 'Ответ',
            cell: ({ last_error }) => <span class="long">{last_error ?? '—'}</span>,
          },
          {
            title: 'Подробно',
            cell: (delivery) => (
              <button type="button" onClick={() => setShown(delivery.id)}>
                Попытки
              </button>
            ),
          },
        ]}
      />
      <AskByApi
        paths={[`/webhooks/${id}/deliveries${status === undefined ? '' : `?status=${status}`}`]}
      />
      {shown === undefined ? (
        <SignatureCheck />
      ) : (
        <OneDelivery key={shown} id={id} name={shown} changed={changed} />
      )}
    </>
  )
}

interface OneDeliveryProps {
  readonly id: string
  readonly name: string
  readonly changed: () => void
}

function OneDelivery({ id, name, changed }: OneDeliveryProps) {
  const { may } = useSession()
  const path = { id, delivery_id: name }
  const panel = useRef<HTMLElement>(null)
  // It opens below a list that may be longer than the window.
  useEffect(() => {
    panel.current?.scrollIntoView()
    panel.current?.focus({ preventScroll: true })
  }, [])
  const answer = useAnswer(
    `delivery ${name}`,
    async (signal) => {
      const [delivery, attempts] = await Promise.all([
        account('GET /webhooks/{id}/deliveries/{delivery_id}', { path, signal }),
        account('GET /webhooks/{id}/deliveries/{delivery_id}/attempts', { path, signal }),
      ])
      return { delivery, attempts: attempts.items }
    },
    { refreshMs: deliveriesRefreshMs },
  )
  return (
    <section ref={panel} class="panel stack" aria-label="Попытки доставки" tabIndex={-1}>
      <Loaded answer={answer}>
        {({ delivery, attempts }) => (
          <>
            <div class="row">
              <h3>Попытки: {delivery.event_type}</h3>
              {may('owner') && <Resend path={path} changed={changed} />}
            </div>
            <Attempts attempts={attempts} />
            <Content payload={delivery.payload} />
          </>
        )}
      </Loaded>
    </section>
  )
}

interface ResendProps {
  readonly path: { readonly id: string; readonly delivery_id: string }
  readonly changed: () => void
}

function Resend({ path, changed }: ResendProps) {
  const [isQueued, setQueued] = useState(false)
  const resend = useAction(async () => {
    await account('POST /webhooks/{id}/deliveries/{delivery_id}/resend', { path })
    setQueued(true)
    changed()
  })
  return (
    <>
      <button type="button" disabled={resend.busy} onClick={() => resend.run()}>
        Отправить ещё раз
      </button>
      <span class="small quiet" role="status">
        {isQueued && 'В очереди: новая доставка первая в списке'}
      </span>
      <Failure error={resend.error} />
    </>
  )
}

function Attempts({ attempts }: { readonly attempts: readonly LoggedAttempt[] }) {
  if (attempts.length === 0) return <p class="quiet">Попыток ещё не было.</p>
  return (
    <Table
      name="Попытки"
      rows={attempts}
      keyOf={(attempt) => String(attempt.number)}
      columns={[
        { title: '№', end: true, cell: (attempt) => attempt.number },
        { title: 'Когда', cell: ({ at }) => <Moment at={at} /> },
        {
          title: 'Код',
          end: true,
          cell: ({ status_code: code }) => (code === 0 ? '—' : code),
        },
        {
          title: 'Длилась, мс',
          end: true,
          cell: ({ duration_ms }) => number(duration_ms),
        },
        {
          title: 'Чем кончилась',
          cell: ({ error }) => <span class="long">{error ?? 'доставлено, ответ 2xx'}</span>,
        },
      ]}
    />
  )
}

/** `payload` is the parsed body. The service writes bodies as `JSON.stringify` does: the same call gives the same bytes. */
function Content({ payload }: { readonly payload: unknown }) {
  const body = JSON.stringify(payload)
  return (
    <>
      <h3>Содержимое</h3>
      <pre class="code-block">{JSON.stringify(payload, null, 2)}</pre>
      <div>
        <CopyButton text={body} label="Скопировать тело, как отправлено" />
      </div>
      <SignatureCheck known={{ body }} />
    </>
  )
}
