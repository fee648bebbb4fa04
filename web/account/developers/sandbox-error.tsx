import { useId, useState } from 'preact/hooks'
import { CallError } from '../../api/caller.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CopyButton } from '../parts/copy.tsx'
import { yourKey } from '../parts/curl.ts'
import { fieldsOf } from '../parts/form.ts'

const codes = {
  rate_limited: 'слишком часто',
  internal: 'ошибка сервиса',
  unauthorized: 'ключ не подходит',
  key_revoked: 'ключ отозван',
  bad_cursor: 'курсор не подходит',
  bad_request: 'неверный запрос',
} as const

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
  const answer = await fetch('/account/v1/orders?limit=1', {
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
  const call = `curl -i -H 'Authorization: Bearer ${yourKey}' -H 'X-Sandbox-Error: ${code}' '${location.origin}/v1/orders'`
  return (
    <section class="panel stack" aria-labelledby="errors">
      <h2 id="errors">Получить ошибку</h2>
      <p class="quiet">
        С заголовком <code>X-Sandbox-Error</code> вызов отвечает нужной ошибкой и ничего не делает:
        так проверяют каждую ветку программы.
      </p>
      <form
        class="row at-end"
        onSubmit={(event) => {
          event.preventDefault()
          void action.run(event.currentTarget)
        }}
      >
        <div class="field">
          <label for={id}>Ошибка</label>
          <select
            id={id}
            name="code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          >
            {Object.entries(codes).map(([value, words]) => (
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
