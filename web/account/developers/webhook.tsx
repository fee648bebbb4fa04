import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Webhook } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { Moment } from '../../ui/moment.tsx'
import { plural } from '../../words/format.ts'
import { account } from '../api.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { fieldsOf, problemsOf } from '../parts/form.ts'
import { FormFailure } from '../parts/form-failure.tsx'
import { GuardedForm } from '../parts/guarded-form.tsx'
import { OneLoaded, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'
import { Deliveries, deliveriesRefreshMs } from './deliveries.tsx'
import { eventWords } from './events.tsx'
import { WebhookState } from './webhooks.tsx'

const above = { href: paths.webhooks, title: 'Вебхуки' }

export function WebhookPage({ id }: { readonly id: string }) {
  const answer = useAnswer(
    `webhook ${id}`,
    (signal) => account('GET /webhooks/{id}', { path: { id }, signal }),
    { refreshMs: deliveriesRefreshMs },
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
  const [, receiver] = /\/sandbox\/receivers\/([\da-f-]{36})$/.exec(webhook.url) ?? []
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
        of={{
          Адрес: <span class="long">{webhook.url}</span>,
          'Что пришло': receiver && <a href={paths.receiver(receiver)}>Запросы в приёмнике</a>,
          Состояние: <WebhookState webhook={webhook} />,
          Отключён: webhook.disabled_at && <Moment at={webhook.disabled_at} />,
          'Почему отключён': webhook.disabled_reason,
          События: webhook.events.map((type) => eventWords[type]).join(', '),
          Создан: <Moment at={webhook.created_at} />,
        }}
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
          после удачной проверки события снова идут сразу. Те, что уже не прошли, повторятся в своё
          время; чтобы не ждать, откройте «Попытки» и отправьте ещё раз.
        </p>
      )}
      {may('owner') && webhook.active && <Replay id={id} done={changed} />}
      <h2>Доставки</h2>
      <Deliveries id={id} round={round} changed={changed} />
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
  const [pinged, setPinged] = useState<string>()
  const ping = useAction(async () => {
    setPinged((await account('POST /webhooks/{id}/ping', { path: { id } })).message)
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
      <span class="small quiet" role="status">
        {pinged}
      </span>
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
        Уйдут события за это время, которые подписка не получила, и те, что были до неё. Доставки,
        которые ещё ждут, повторятся сами. Получатель узнаёт повторы по id.
      </p>
      <GuardedForm class="stack" noValidate action={action}>
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
          <input type="checkbox" name="failed" />
          <span>Только то, что не удалось доставить</span>
        </label>
        <FormFailure error={action.error} fields={['since', 'until']} />
        {queued !== undefined && (
          <p role="status">
            {queued === 0
              ? 'Пропущенных событий нет: всё доставлено или ждёт следующей попытки'
              : `В очереди ${plural(queued, 'событие', 'события', 'событий')}`}
          </p>
        )}
        <div>
          <button type="submit" disabled={action.busy}>
            Отправить
          </button>
        </div>
      </GuardedForm>
    </details>
  )
}
