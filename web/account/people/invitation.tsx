import { useState } from 'preact/hooks'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { AcceptedInvitation } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Field, LoginField } from '../../ui/forms/field.tsx'
import { submits, useAction } from '../../ui/forms/use-action.ts'
import { Moment } from '../../ui/moment.tsx'
import { account } from '../api.ts'
import { fieldsOf, problemsOf } from '../parts/form.ts'
import { FormFailure } from '../parts/form-failure.tsx'
import { Loaded } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { signInAtOnce } from './sign-in-at-once.ts'

export const roleWords = {
  viewer: 'Просмотр',
  receipts: 'Просмотр и заявки на приёмку',
  owner: 'Владелец',
} as const

/** Where an invitation leads. Its secret stands behind `#`, which no server gets. */
export function Invitation() {
  const [token] = useState(() => location.hash.slice(1))
  const [accepted, setAccepted] = useState<AcceptedInvitation>()
  const answer = useAnswer('invitation', () =>
    account('POST /invitations/look', { body: { token: token || '-' } }),
  )
  return (
    <main class="doorstep">
      <h1>Приглашение в личный кабинет</h1>
      <div class="panel stack">
        {accepted ? (
          <>
            <p class="notice good">
              Готово: логин {accepted.login} открывает личный кабинет {quoted(accepted.client_name)}
              .
            </p>
            <a class="button primary" href={paths.overview}>
              Войти
            </a>
          </>
        ) : (
          <Loaded answer={answer}>
            {({ client_name, role, expires_at }) => (
              <>
                <p>
                  Вас приглашают в личный кабинет <strong class="long">{client_name}</strong>.
                </p>
                <p class="quiet">
                  Роль: {roleWords[role].toLowerCase()}. Ссылка действует до{' '}
                  <Moment at={expires_at} />.
                </p>
                <Accept token={token} accepted={setAccepted} />
              </>
            )}
          </Loaded>
        )}
      </div>
    </main>
  )
}

function Accept({
  token,
  accepted,
}: {
  readonly token: string
  readonly accepted: (made: AcceptedInvitation) => void
}) {
  const action = useAction(async (form: HTMLFormElement) => {
    const { login = '', name = '', password = '' } = fieldsOf(form)
    const body = { token, login, name, password }
    const made = await account('POST /invitations/accept', { body })
    await signInAtOnce({ login: made.login, password, clientName: made.client_name })
    accepted(made)
  })
  const problems = problemsOf(action.error)
  return (
    <form class="stack" noValidate onSubmit={submits(action)}>
      <LoginField
        hint="Новый; а если вы уже входите в другой личный кабинет — тот же"
        problem={problems.login}
      />
      <Field
        name="name"
        label="Имя и фамилия"
        hint="Так вас увидят остальные; у известного логина имя прежнее"
        autocomplete="name"
        problem={problems.name}
      />
      <Field
        name="password"
        label="Пароль"
        type="password"
        hint="Не короче 8 знаков"
        autocomplete="new-password"
        problem={problems.password}
      />
      <FormFailure error={action.error} fields={['login', 'name', 'password']} />
      <button type="submit" class="primary" disabled={action.busy}>
        {action.busy ? 'Сохраняем…' : 'Принять приглашение'}
      </button>
    </form>
  )
}
