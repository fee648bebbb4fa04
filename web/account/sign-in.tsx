import { useState } from 'preact/hooks'
import type { AccountSession } from '../api/account-calls.ts'
import { CallError } from '../api/caller.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Failure } from '../ui/failure.tsx'
import { Field, LoginField } from '../ui/forms/field.tsx'
import { submits, useAction } from '../ui/forms/use-action.ts'
import { account, sandboxPatienceMs } from './api.ts'
import { curlOf } from './parts/curl.ts'
import { fieldsOf } from './parts/form.ts'

interface Opened {
  readonly opened: (session: AccountSession) => unknown
}

/** The door of the account: for people with a login, and for developers with a test key. */
export function SignIn({ opened }: Opened) {
  return (
    <main class="doorstep">
      <h1>Личный кабинет</h1>
      <section class="panel stack" aria-labelledby="by-login">
        <h2 id="by-login">Войти</h2>
        <SignInWithPassword opened={opened} />
        <details class="small quiet">
          <summary>Нет логина или не получается войти?</summary>
          <p>Нет логина: приглашение пришлёт владелец личного кабинета или менеджер склада.</p>
          <p>
            Забыли пароль или потеряли телефон с кодами: попросите у них ссылку для нового пароля.
          </p>
        </details>
      </section>
      <section class="panel stack" aria-labelledby="by-key">
        <h2 id="by-key">Песочница</h2>
        <p class="quiet">Посмотрите личный кабинет на вымышленных данных: логин не нужен.</p>
        <NewSandbox opened={opened} />
        <SignInWithKey opened={opened} />
      </section>
    </main>
  )
}

export function SignInWithPassword({ opened, login = '' }: Opened & { readonly login?: string }) {
  const [needsCode, setNeedsCode] = useState(false)
  const action = useAction(async (form: HTMLFormElement) => {
    const { login = '', password = '', code } = fieldsOf(form)
    const body = { login, password, ...(code === undefined ? {} : { code }) }
    const answer = await account('POST /session', { body })
    if ('client' in answer) await opened(answer)
    else setNeedsCode(true)
  })
  return (
    <form class="stack" onSubmit={submits(action)}>
      <LoginField defaultValue={login} required />
      <Field
        name="password"
        label="Пароль"
        type="password"
        autocomplete="current-password"
        required
      />
      {needsCode && (
        <Field
          name="code"
          label="Код из приложения"
          hint="Или запасной код, если телефона нет"
          autocomplete="one-time-code"
          required
          autofocus
        />
      )}
      <Failure error={action.error} />
      <button type="submit" class="primary" disabled={action.busy}>
        {action.busy ? 'Входим…' : 'Войти'}
      </button>
    </form>
  )
}

export function SignInWithKey({ opened }: Opened) {
  const action = useAction(async (form: HTMLFormElement) => {
    const { key = '' } = fieldsOf(form)
    await opened(await openSandbox(key))
  })
  return (
    <form class="stack" onSubmit={submits(action)}>
      <Field
        name="key"
        label="Тестовый ключ"
        placeholder="svc_test_…"
        autocomplete="off"
        spellcheck={false}
        required
      />
      <Failure error={action.error} />
      <Preparing busy={action.busy} />
      <button type="submit" disabled={action.busy}>
        {action.busy ? 'Открываем…' : 'Открыть песочницу'}
      </button>
    </form>
  )
}

/** Gets a test key and shows it before it is used: nobody can show it later. */
function NewSandbox({ opened }: Opened) {
  const [key, setKey] = useState<string>()
  const getting = useAction(async () => setKey(await newTestKey()))
  const opening = useAction(async (given: string) => opened(await openSandbox(given)))
  if (key === undefined) {
    return (
      <>
        <Failure error={getting.error} />
        <button type="button" disabled={getting.busy} onClick={() => getting.run()}>
          {getting.busy ? 'Получаем…' : 'Получить тестовый ключ'}
        </button>
      </>
    )
  }
  const call = curlOf(location.origin, '/stock', key)
  return (
    <div class="notice good stack">
      <p>Ваш тестовый ключ. Сохраните его: больше он нигде не показывается.</p>
      <p>
        <code class="secret">{key}</code>
      </p>
      <div class="row">
        <CopyButton text={key} />
        <button
          type="button"
          class="primary"
          disabled={opening.busy}
          onClick={() => opening.run(key)}
        >
          Открыть его песочницу
        </button>
      </div>
      <p>Из программы или командной строки — например, остатки:</p>
      <pre class="code-block">{call}</pre>
      <div class="row">
        <CopyButton text={call} label="Скопировать вызов" />
        <a href="/docs">Справочник API</a>
      </div>
      <Preparing busy={opening.busy} />
      <Failure error={opening.error} />
    </div>
  )
}

function openSandbox(key: string): Promise<AccountSession> {
  return account('POST /session/key', { body: { key }, patienceMs: sandboxPatienceMs })
}

function Preparing({ busy }: { readonly busy: boolean }) {
  return (
    <p role="status">
      {busy && 'Готовим песочницу. Если склад занят, это займёт минуту-другую: подождите здесь.'}
    </p>
  )
}

async function newTestKey(): Promise<string> {
  const answer = await fetch('/v1/sandbox/keys', { method: 'POST' }).catch(() => undefined)
  if (answer === undefined) throw new CallError('offline', 'Нет связи со складом: проверьте сеть')
  const body = (await answer.json()) as { key: string; error: { code: string; message: string } }
  if (!answer.ok) throw new CallError(body.error.code, body.error.message)
  return body.key
}
