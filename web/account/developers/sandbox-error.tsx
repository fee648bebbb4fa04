import { useId, useState } from 'preact/hooks'
import { CallError } from '../../api/caller.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { submits, useAction } from '../../ui/forms/use-action.ts'
import { yourKey } from '../parts/curl.ts'
import { fieldsOf } from '../parts/form.ts'

interface Asked {
  readonly words: string
  /** A call that documents the error: others refuse to answer with it. */
  readonly call: `${'GET' | 'POST'} /${string}`
}

const anyCall = 'GET /orders'
const announcement = 'POST /receipts'
const subscription = 'POST /webhooks'
const errors: Readonly<Record<string, Asked>> = {
  rate_limited: { words: 'слишком часто', call: anyCall },
  internal: { words: 'ошибка сервиса', call: anyCall },
  unauthorized: { words: 'ключ не подходит', call: anyCall },
  key_revoked: { words: 'ключ отозван', call: anyCall },
  bad_cursor: { words: 'курсор не подходит', call: anyCall },
  bad_request: { words: 'неверный запрос', call: anyCall },
  not_found: { words: 'нет такого объекта', call: 'GET /orders/1' },
  validation_error: { words: 'неверное поле', call: announcement },
  cabinet_required: { words: 'не указан кабинет', call: announcement },
  mixed_marking: { words: 'маркировка вперемешку', call: announcement },
  write_disabled: { words: 'заявки выключены', call: announcement },
  warehouse_unavailable: { words: 'склад не принял заявку', call: announcement },
  webhook_url_unverified: { words: 'адрес не ответил', call: subscription },
  webhook_limit: { words: 'подписок уже десять', call: subscription },
  webhooks_unavailable: { words: 'вебхуки выключены', call: subscription },
  sandbox_only: { words: 'только для тестового ключа', call: 'POST /sandbox/reset' },
}
const partsOf = (code: string) => (errors[code]?.call ?? anyCall).split(' ')

const shownHeaders = [
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
]

interface Answered {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}

async function askForError(code: string): Promise<Answered> {
  const [method = '', path] = partsOf(code)
  const answer = await fetch(`/account/v1${path}`, {
    method,
    headers: { 'X-Sandbox-Error': code },
  }).catch(() => undefined)
  if (answer === undefined) throw new CallError('offline', 'Нет связи со складом: проверьте сеть')
  const headers = shownHeaders.flatMap((name) => {
    const value = answer.headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  return { status: answer.status, headers, body: JSON.stringify(await answer.json(), null, 2) }
}

/** How a program gets an error on purpose, and what it gets then. */
export function SandboxError() {
  const id = useId()
  const [code, setCode] = useState('rate_limited')
  const [answered, setAnswered] = useState<Answered>()
  const action = useAction(async (form: HTMLFormElement) =>
    setAnswered(await askForError(fieldsOf(form).code ?? 'internal')),
  )
  const [method, path] = partsOf(code)
  const call = `curl -i -X ${method} -H 'Authorization: Bearer ${yourKey}' -H 'X-Sandbox-Error: ${code}' '${location.origin}/v1${path}'`
  return (
    <section class="panel stack" aria-labelledby="errors">
      <h2 id="errors">Получить ошибку</h2>
      <p class="quiet">
        С заголовком <code>X-Sandbox-Error</code> вызов отвечает нужной ошибкой и ничего не делает:
        так проверяют каждую ветку программы.
      </p>
      <form class="row at-end" onSubmit={submits(action)}>
        <div class="field">
          <label for={id}>Ошибка</label>
          <select
            id={id}
            name="code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          >
            {Object.entries(errors).map(([value, { words }]) => (
              <option key={value} value={value}>
                {value} — {words}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" disabled={action.busy}>
          Показать ответ
        </button>
      </form>
      <Failure error={action.error} />
      {answered && (
        <pre class="code-block" role="status">
          {[`HTTP ${answered.status}`, ...answered.headers, '', answered.body].join('\n')}
        </pre>
      )}
      <pre class="code-block">{call}</pre>
      <div class="row">
        <CopyButton text={call} />
        <span class="small quiet">
          Сколько запросов осталось ключу, говорят заголовки X-RateLimit-* каждого ответа.
        </span>
      </div>
    </section>
  )
}
