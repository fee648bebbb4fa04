import { useState } from 'preact/hooks'
import type { PasswordLinkFor } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Field } from '../../ui/forms/field.tsx'
import { submits, useAction } from '../../ui/forms/use-action.ts'
import { Moment } from '../../ui/moment.tsx'
import { account } from '../api.ts'
import { fieldsOf, problemsOf } from '../parts/form.ts'
import { FormFailure } from '../parts/form-failure.tsx'
import { Loaded } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { signInAtOnce } from './sign-in-at-once.ts'

/** Where the link of somebody who forgot the password leads. Its secret stands behind `#`, which no server gets. */
export function NewPassword() {
  const [token] = useState(() => location.hash.slice(1))
  const [done, setDone] = useState<PasswordLinkFor>()
  const answer = useAnswer('password link', () =>
    account('POST /password-links/look', { body: { token: token || '-' } }),
  )
  return (
    <main class="doorstep">
      <h1>Новый пароль</h1>
      <div class="panel stack">
        {done ? (
          <>
            <p class="notice good" role="status">
              Пароль задан, прежние входы закончены.{' '}
              {done.drops_codes && 'Вход с одноразовым кодом выключен: включите его снова.'}
            </p>
            <a class="button primary" href={paths.overview}>
              Войти
            </a>
          </>
        ) : (
          <Loaded answer={answer}>
            {({ login, drops_codes, expires_at }) => (
              <>
                <p>
                  Пароль для логина <strong class="long">{login}</strong>. Ссылка действует до{' '}
                  <Moment at={expires_at} />.
                </p>
                {drops_codes && (
                  <p class="notice warn">Вход с одноразовым кодом выключится вместе с паролем.</p>
                )}
                <SetPassword token={token} login={login} done={setDone} />
              </>
            )}
          </Loaded>
        )}
      </div>
    </main>
  )
}

interface SetPasswordProps {
  readonly token: string
  readonly login: string
  readonly done: (link: PasswordLinkFor) => void
}

function SetPassword({ token, login, done }: SetPasswordProps) {
  const action = useAction(async (form: HTMLFormElement) => {
    const { password = '' } = fieldsOf(form)
    const link = await account('POST /password-links/use', { body: { token, password } })
    await signInAtOnce({ login: link.login, password, clientName: link.client_name })
    done(link)
  })
  const problem = problemsOf(action.error).password
  return (
    <form class="stack" noValidate onSubmit={submits(action)}>
      {/* For programs that keep passwords. */}
      <input
        class="visually-hidden"
        name="login"
        autocomplete="username"
        value={login}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <Field
        name="password"
        label="Новый пароль"
        type="password"
        hint="Не короче 8 знаков"
        autocomplete="new-password"
        problem={problem}
      />
      <FormFailure error={action.error} fields={['password']} />
      <button type="submit" class="primary" disabled={action.busy}>
        {action.busy ? 'Сохраняем…' : 'Задать пароль'}
      </button>
    </form>
  )
}
