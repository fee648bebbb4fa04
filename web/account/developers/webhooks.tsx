import { useEffect, useState } from 'preact/hooks'
import type { CreatedWebhook, Webhook, WebhookDraft } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useAddress } from '../../ui/address.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { listRefreshMs } from '../../ui/lists/list.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { account } from '../api.ts'
import { AskByApi } from '../parts/copy.tsx'
import { problemsOf } from '../parts/form.ts'
import { FormFailure } from '../parts/form-failure.tsx'
import { GuardedForm } from '../parts/guarded-form.tsx'
import { ListFiles } from '../parts/list-files.tsx'
import { Badge, Loaded, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'
import { eventWords } from './events.tsx'

export function Webhooks() {
  const { session, may } = useSession()
  const answer = useAnswer('webhooks', (signal) => account('GET /webhooks', { signal }), {
    refreshMs: listRefreshMs,
  })
  return (
    <Page title="Вебхуки">
      <p class="quiet">События приходят на ваш адрес сами, подписанными. До десяти подписок.</p>
      {session.kind === 'test_key' && (
        <p class="quiet">
          Своего сервера ещё нет? <a href={paths.sandbox}>Создайте приёмник в песочнице</a> и
          вставьте его адрес.
        </p>
      )}
      {may('owner') && <Create created={answer.reload} />}
      <Loaded answer={answer}>
        {({ items }) => (
          <Table
            name="Вебхуки"
            rows={items}
            keyOf={({ id }) => id}
            href={({ id }) => paths.webhook(id)}
            files={<ListFiles list="webhooks" />}
            columns={[
              { title: 'Адрес', cell: ({ url }) => <span class="long">{url}</span> },
              {
                title: 'Состояние',
                main: true,
                cell: (webhook) => <WebhookState webhook={webhook} />,
              },
              { title: 'Событий', end: true, cell: ({ events }) => events.length },
              {
                title: 'Последняя доставка',
                cell: ({ last_delivery_at, last_status_code: code }) => (
                  <>
                    <Moment at={last_delivery_at} none="не было" />{' '}
                    {code !== undefined && code !== 0 && code}
                  </>
                ),
              },
            ]}
            empty={
              <p class="panel empty">
                Подписок ещё нет. Добавьте вебхук, и события будут приходить сами.
              </p>
            }
          />
        )}
      </Loaded>
      <AskByApi paths={['/webhooks']} />
    </Page>
  )
}

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  if (!webhook.active) return <Badge tone="bad">Отключён</Badge>
  if (webhook.failures_in_row > 0)
    return <Badge tone="warn">Не отвечает: {webhook.failures_in_row} подряд</Badge>
  return <Badge tone="good">Работает</Badge>
}

function Create({ created }: { readonly created: () => void }) {
  const { query: filters } = useAddress()
  const [made, setMade] = useState<{ readonly webhook: CreatedWebhook; readonly ms: number }>()
  const action = useAction(async (form: HTMLFormElement) => {
    const given = new FormData(form)
    const body: WebhookDraft = {
      url: String(given.get('url')).trim(),
      events: given.getAll('events') as WebhookDraft['events'],
    }
    setMade(undefined)
    const start = performance.now()
    const webhook = await account('POST /webhooks', { body })
    setMade({ webhook, ms: Math.round(performance.now() - start) })
    created()
    form.reset()
  })
  const problems = problemsOf(action.error)
  return (
    <details class="panel" open={filters.url !== undefined}>
      <summary>Добавить вебхук</summary>
      <GuardedForm class="stack" noValidate action={action}>
        <Field
          name="url"
          label="Адрес"
          type="url"
          placeholder="https://"
          defaultValue={filters.url}
          hint="Сразу придёт проверка webhook.ping: ответьте 2xx за 10 секунд"
          problem={problems.url}
        />
        <fieldset class="choices" aria-describedby={problems.events && 'events-problem'}>
          <legend>События</legend>
          {problems.events && (
            <span id="events-problem" class="small problem">
              Выберите хотя бы одно событие
            </span>
          )}
          {Object.entries(eventWords).map(([type, words]) => (
            <label key={type} class="choice">
              <input
                type="checkbox"
                name="events"
                value={type}
                defaultChecked
                aria-invalid={problems.events !== undefined}
              />
              <span>
                {words} <code class="small quiet">{type}</code>
              </span>
            </label>
          ))}
        </fieldset>
        <FormFailure error={action.error} fields={['url', 'events']} />
        <div>
          <button type="submit" class="primary" disabled={action.busy}>
            {action.busy ? 'Проверяем адрес…' : 'Проверить адрес и добавить'}
          </button>{' '}
          {action.busy && <Waiting />}
        </div>
      </GuardedForm>
      {made && (
        <div class="notice good stack" role="status">
          <p>
            Адрес ответил за {number(made.ms)} мс, подписка работает. Секрет подписи показан один
            раз — сохраните его:
          </p>
          <p>
            <code class="secret">{made.webhook.secret}</code>
          </p>
          <div class="row">
            <CopyButton text={made.webhook.secret} />
            <a href={paths.webhook(made.webhook.webhook.id)}>Открыть вебхук</a>
          </div>
        </div>
      )}
    </details>
  )
}

const pingSecondsMax = 10

/** How long the address has not answered yet. */
function Waiting() {
  const [tenths, setTenths] = useState(0)
  useEffect(() => {
    const start = performance.now()
    const timer = setInterval(() => setTenths(Math.floor((performance.now() - start) / 100)), 100)
    return () => clearInterval(timer)
  }, [])
  return (
    <span class="quiet" role="timer">
      ждём ответа {(tenths / 10).toLocaleString('ru-RU', { minimumFractionDigits: 1 })} с из{' '}
      {pingSecondsMax}
    </span>
  )
}
