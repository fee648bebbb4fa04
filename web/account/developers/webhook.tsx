import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Delivery, Webhook } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { number, plural } from '../../words/format.ts'
import { account } from '../api.ts'
import { useFilters } from '../parts/address.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { AskByApi } from '../parts/copy.tsx'
import { Choice, Filters } from '../parts/filters.tsx'
import { fieldsOf, problemsOf } from '../parts/form.ts'
import { FormFailure } from '../parts/form-failure.tsx'
import { List, Table } from '../parts/list.tsx'
import { Moment } from '../parts/moment.tsx'
import { Badge, Facts, Loaded, OneLoaded, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'
import { eventWords } from './events.tsx'
import { SignatureCheck } from './signature.tsx'
import { WebhookState } from './webhooks.tsx'

/** Somebody mends a receiver and watches what comes of it. */
const refreshMs = 5_000

const above = { href: paths.webhooks, title: 'Вебхуки' }

export function WebhookPage({ id }: { readonly id: string }) {
  const answer = useAnswer(
    `webhook ${id}`,
    (signal) => account('GET /webhooks/{id}', { path: { id }, signal }),
    { refreshMs },
  )
  return (
    <OneLoaded answer={answer} title="Вебхук" missing="Такого вебхука нет" above={above}>
      {(webhook) => <View webhook={webhook} reload={answer.reload} />}
    </OneLoaded>
  )
}

function View({ webhook, reload }: { readonly webhook: Webhook; readonly reload: () => void }) {
  const { may } = useSession()
  const { id } = webhook
  const [round, setRound] = useState(0)
  const changed = () => {
    setRound((last) => last + 1)
    reload()
  }
  return (
    <Page
      title="Вебхук"
      above={above}
      actions={may('owner') && <Actions id={id} url={webhook.url} changed={changed} />}
    >
      <Facts
        facts={[
          [
            'Адрес',
            <span key="u" class="long">
              {webhook.url}
            </span>,
          ],
          ['Состояние', <WebhookState key="s" webhook={webhook} />],
          ['Отключён', webhook.disabled_at && <Moment at={webhook.disabled_at} />],
          ['Почему отключён', webhook.disabled_reason],
          ['События', webhook.events.map((type) => eventWords[type]).join(', ')],
          ['Создан', <Moment key="c" at={webhook.created_at} />],
        ]}
      />
      {!webhook.active && (
        <p class="notice warn">
          Отключённый вебхук не включают: исправьте приёмник, добавьте подписку заново и отправьте
          ей пропущенное с нужного времени.
        </p>
      )}
      {may('owner') && webhook.active && webhook.failures_in_row > 0 && (
        <p class="notice warn">
          Пока адрес не отвечает, попытки всё реже. Исправили приёмник — нажмите «Проверить адрес»:
          после удачной проверки отправка идёт сразу.
        </p>
      )}
      {may('owner') && webhook.active && <Replay id={id} done={changed} />}
      <h2>Доставки</h2>
      <Deliveries id={id} round={round} changed={changed} />
      <SignatureCheck />
    </Page>
  )
}

interface ActionsProps {
  readonly id: string
  readonly url: string
  readonly changed: () => void
}

function Actions({ id, url, changed }: ActionsProps) {
  const { route } = useLocation()
  const ping = useAction(async () => {
    await account('POST /webhooks/{id}/ping', { path: { id } })
    changed()
  })
  const remove = async () => {
    await account('DELETE /webhooks/{id}', { path: { id } })
    route(paths.webhooks)
  }
  return (
    <>
      <Failure error={ping.error} />
      <button type="button" disabled={ping.busy} onClick={() => ping.run()}>
        Проверить адрес
      </button>
      <ConfirmButton
        label="Удалить"
        question={`Удалить вебхук ${url}? Его журнал удалится вместе с ним.`}
        isDangerous
        act={remove}
      />
    </>
  )
}

/** What a person chose by Moscow's clock, as the API takes it. */
const inMoscow = (text: string) => (text === '' ? '' : `${text.slice(0, 16)}:00+03:00`)

function Replay({ id, done }: { readonly id: string; readonly done: () => void }) {
  const [queued, setQueued] = useState<number>()
  const action = useAction(async (form: HTMLFormElement) => {
    const { since = '', until, failed } = fieldsOf(form)
    const body = {
      since: inMoscow(since),
      ...(until === undefined ? {} : { until: inMoscow(until) }),
      ...(failed === undefined ? {} : { status: 'FAILED' as const }),
    }
    setQueued((await account('POST /webhooks/{id}/resend', { path: { id }, body })).queued)
    done()
  })
  const problems = problemsOf(action.error)
  return (
    <details class="panel">
      <summary>Отправить пропущенное</summary>
      <p class="small quiet">
        Уйдут все события подписки за это время, и те, что были до неё: получатель узнаёт повторы по
        id.
      </p>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void action.run(event.currentTarget)
        }}
      >
        <div class="form-grid">
          <Field
            name="since"
            label="С какого времени"
            hint="По Москве"
            type="datetime-local"
            problem={problems.since}
          />
          <Field
            name="until"
            label="До какого, если не до сих пор"
            type="datetime-local"
            problem={problems.until}
          />
        </div>
        <label class="choice">
          <input type="checkbox" name="failed" /> Только то, что не удалось доставить
        </label>
        <FormFailure error={action.error} fields={['since', 'until']} />
        {queued !== undefined && (
          <p role="status">
            {queued === 0
              ? 'Пропущенных событий нет'
              : `В очереди ${plural(queued, 'событие', 'события', 'событий')}`}
          </p>
        )}
        <div>
          <button type="submit" disabled={action.busy}>
            Отправить
          </button>
        </div>
      </form>
    </details>
  )
}

const words = { PENDING: 'Ждёт', DELIVERED: 'Доставлено', FAILED: 'Не доставлено' } as const
const tones = { PENDING: 'busy', DELIVERED: 'good', FAILED: 'bad' } as const

interface DeliveriesProps {
  readonly id: string
  readonly round: number
  readonly changed: () => void
}

function Deliveries({ id, round, changed }: DeliveriesProps) {
  const { filters } = useFilters()
  const status = filters.status as Delivery['status'] | undefined
  const [shown, setShown] = useState<string>()
  return (
    <>
      <Filters names={['status']}>
        <Choice name="status" label="Состояние" options={words} />
      </Filters>
      <List<Delivery>
        listKey={`deliveries ${id} ${status}`}
        version={round}
        refreshMs={refreshMs}
        caption="Доставки"
        keyOf={(delivery) => delivery.id}
        ask={(page, signal) =>
          account('GET /webhooks/{id}/deliveries', {
            path: { id },
            query: { status, ...page },
            signal,
          })
        }
        empty={<p>Доставок ещё нет.</p>}
        columns={[
          { title: 'Событие', cell: ({ event_type }) => <code>{event_type}</code> },
          {
            title: 'Состояние',
            cell: (delivery) => (
              <Badge tone={tones[delivery.status]}>{words[delivery.status]}</Badge>
            ),
          },
          { title: 'Попыток', isNumber: true, cell: ({ attempts }) => number(attempts) },
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
        path={`/webhooks/${id}/deliveries${status === undefined ? '' : `?status=${status}`}`}
      />
      {shown !== undefined && <OneDelivery key={shown} id={id} name={shown} changed={changed} />}
    </>
  )
}

function OneDelivery({
  id,
  name,
  changed,
}: {
  readonly id: string
  readonly name: string
  readonly changed: () => void
}) {
  const { may } = useSession()
  const path = { id, delivery_id: name }
  const answer = useAnswer(
    `delivery ${name}`,
    async (signal) => {
      const [delivery, attempts] = await Promise.all([
        account('GET /webhooks/{id}/deliveries/{delivery_id}', { path, signal }),
        account('GET /webhooks/{id}/deliveries/{delivery_id}/attempts', { path, signal }),
      ])
      return { delivery, attempts: attempts.items }
    },
    { refreshMs },
  )
  const resend = useAction(async () => {
    await account('POST /webhooks/{id}/deliveries/{delivery_id}/resend', { path })
    changed()
  })
  return (
    <section class="panel stack" aria-label="Попытки доставки">
      <Loaded answer={answer}>
        {({ delivery, attempts }) => (
          <>
            <h3>Попытки: {delivery.event_type}</h3>
            {attempts.length === 0 && <p class="quiet">Попыток ещё не было.</p>}
            <Table
              caption="Попытки"
              rows={attempts}
              keyOf={(attempt) => String(attempt.number)}
              columns={[
                { title: '№', isNumber: true, cell: (attempt) => attempt.number },
                { title: 'Когда', cell: ({ at }) => <Moment at={at} /> },
                {
                  title: 'Код',
                  isNumber: true,
                  cell: ({ status_code: code }) => (code === 0 ? '—' : code),
                },
                {
                  title: 'Длилась, мс',
                  isNumber: true,
                  cell: ({ duration_ms }) => number(duration_ms),
                },
                {
                  title: 'Что не так',
                  cell: ({ error }) => <span class="long">{error ?? 'ответ 2xx'}</span>,
                },
              ]}
            />
            <h3>Содержимое</h3>
            <pre class="code-block">{JSON.stringify(delivery.payload, null, 2)}</pre>
          </>
        )}
      </Loaded>
      <Failure error={resend.error} />
      {may('owner') && (
        <div>
          <button type="button" disabled={resend.busy} onClick={() => resend.run()}>
            Отправить ещё раз
          </button>
        </div>
      )}
    </section>
  )
}
