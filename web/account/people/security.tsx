import { useState } from 'preact/hooks'
import type { OfferedOneTimeCodes } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { listRefreshMs } from '../../ui/lists/list.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { account } from '../api.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { fieldsOf, problemsOf } from '../parts/form.ts'
import { FormFailure } from '../parts/form-failure.tsx'
import { GuardedForm } from '../parts/guarded-form.tsx'
import { Loaded, Page } from '../parts/page.tsx'
import { useSession } from '../session.tsx'
import { browserName } from './browser-name.ts'

export function Security() {
  const { session } = useSession()
  if (session.kind !== 'user') {
    return (
      <Page title="Вход и пароль">
        <p class="notice warn">В песочницу входят тестовым ключом: пароля у неё нет.</p>
      </Page>
    )
  }
  return (
    <Page title="Вход и пароль">
      <Name />
      <Password />
      <Codes />
      <Sessions />
    </Page>
  )
}

function Name() {
  const { session, reload } = useSession()
  const [isDone, setDone] = useState(false)
  const action = useAction(async (form: HTMLFormElement) => {
    const { name = '' } = fieldsOf(form)
    await account('PUT /name', { body: { name } })
    setDone(true)
    await reload()
  })
  const problems = problemsOf(action.error)
  return (
    <section class="panel stack" aria-labelledby="name">
      <h2 id="name">Имя</h2>
      <GuardedForm class="stack narrow" noValidate action={action}>
        <Field
          name="name"
          label="Имя и фамилия"
          hint="Под ним вас видят другие пользователи и склад"
          autocomplete="name"
          value={session.name === session.login ? '' : (session.name ?? '')}
          problem={problems.name}
        />
        <FormFailure error={action.error} fields={['name']} />
        <div>
          <button type="submit" disabled={action.busy}>
            Сохранить имя
          </button>
        </div>
        <p role="status">{isDone && 'Имя сохранено.'}</p>
      </GuardedForm>
    </section>
  )
}

function Password() {
  const [isDone, setDone] = useState(false)
  const action = useAction(async (form: HTMLFormElement) => {
    const { password = '', new_password = '' } = fieldsOf(form)
    await account('PUT /password', { body: { password, new_password } })
    form.reset()
    setDone(true)
  })
  const problems = problemsOf(action.error)
  return (
    <section class="panel stack" aria-labelledby="password">
      <h2 id="password">Пароль</h2>
      <GuardedForm class="stack narrow" noValidate action={action}>
        <Field
          name="password"
          label="Нынешний пароль"
          type="password"
          autocomplete="current-password"
          problem={problems.password}
        />
        <Field
          name="new_password"
          label="Новый пароль"
          type="password"
          hint="Не короче 8 знаков"
          autocomplete="new-password"
          problem={problems.new_password}
        />
        <FormFailure error={action.error} fields={['password', 'new_password']} />
        <div>
          <button type="submit" disabled={action.busy}>
            Сменить пароль
          </button>
        </div>
        <p role="status">{isDone && 'Пароль сменён, остальные входы закончены.'}</p>
      </GuardedForm>
    </section>
  )
}

function Codes() {
  const { session } = useSession()
  return (
    <section class="panel stack" aria-labelledby="codes">
      <h2 id="codes">Вход с одноразовым кодом</h2>
      {session.two_factor ? <CodesOn /> : <CodesOff />}
    </section>
  )
}

function CodesOn() {
  const { reload } = useSession()
  const action = useAction(async (form: HTMLFormElement) => {
    const { password = '', code = '' } = fieldsOf(form)
    await account('POST /one-time-codes/drop', { body: { password, code } })
    await reload()
  })
  const problems = problemsOf(action.error)
  return (
    <GuardedForm class="stack narrow" noValidate action={action}>
      <p>Включён: при входе нужен код из приложения.</p>
      <Field
        name="password"
        label="Ваш пароль"
        type="password"
        autocomplete="current-password"
        problem={problems.password}
      />
      <Field
        name="code"
        label="Код из приложения или запасной"
        autocomplete="one-time-code"
        problem={problems.code}
      />
      <FormFailure error={action.error} fields={['password', 'code']} />
      <div>
        <button type="submit" class="danger" disabled={action.busy}>
          Выключить
        </button>
      </div>
    </GuardedForm>
  )
}

function CodesOff() {
  const { reload } = useSession()
  const [offered, setOffered] = useState<OfferedOneTimeCodes>()
  const [recovery, setRecovery] = useState<readonly string[]>()
  if (recovery !== undefined) {
    return (
      <div class="notice good stack">
        <p>
          Включено. Сохраните запасные коды на случай потери телефона: каждый действует один раз.
        </p>
        <pre class="code-block">{recovery.join('\n')}</pre>
        <div class="row">
          <CopyButton text={recovery.join('\n')} />
          <button type="button" class="primary" onClick={reload}>
            Сохранил
          </button>
        </div>
      </div>
    )
  }
  return offered === undefined ? (
    <Offer offered={setOffered} />
  ) : (
    <Confirm offered={offered} confirmed={setRecovery} />
  )
}

function Offer({ offered }: { readonly offered: (made: OfferedOneTimeCodes) => void }) {
  return (
    <>
      <p class="quiet">
        Защитит личный кабинет, если пароль узнает кто-то ещё. Нужно приложение с кодами на
        телефоне.
      </p>
      <div>
        <ConfirmButton
          label="Включить"
          question="Включить вход с одноразовым кодом?"
          asksPassword
          act={async (password) =>
            offered(await account('POST /one-time-codes', { body: { password } }))
          }
        />
      </div>
    </>
  )
}

interface ConfirmProps {
  readonly offered: OfferedOneTimeCodes
  readonly confirmed: (codes: readonly string[]) => void
}

function Confirm({ offered, confirmed }: ConfirmProps) {
  const action = useAction(async (form: HTMLFormElement) => {
    const { code = '' } = fieldsOf(form)
    const { recovery_codes } = await account('POST /one-time-codes/confirm', { body: { code } })
    confirmed(recovery_codes)
  })
  return (
    <GuardedForm class="stack narrow" noValidate action={action}>
      <p>Наведите на картинку камеру приложения с кодами или введите секрет в него сами:</p>
      <img
        class="qr"
        src={`data:image/svg+xml,${encodeURIComponent(offered.qr)}`}
        alt="QR-код для приложения с кодами"
      />
      <p>
        <code class="secret">{offered.secret}</code>
      </p>
      <div class="row">
        <CopyButton text={offered.secret} />
        <a href={offered.uri}>Открыть в приложении на этом устройстве</a>
      </div>
      <Field
        name="code"
        label="Код из приложения"
        inputMode="numeric"
        autocomplete="one-time-code"
        problem={problemsOf(action.error).code}
      />
      <FormFailure error={action.error} fields={['code']} />
      <div>
        <button type="submit" class="primary" disabled={action.busy}>
          Включить
        </button>
      </div>
    </GuardedForm>
  )
}

function Sessions() {
  const { reload } = useSession()
  const answer = useAnswer('sessions', (signal) => account('GET /sessions', { signal }), {
    refreshMs: listRefreshMs,
  })
  const end = async (id: string) => {
    await account('DELETE /sessions/{id}', { path: { id } })
    answer.reload()
  }
  const endAll = async () => {
    await account('DELETE /sessions')
    location.reload()
  }
  return (
    <section class="panel stack" aria-labelledby="sessions">
      <h2 id="sessions">Где вы вошли</h2>
      <Loaded answer={answer}>
        {({ items }) => (
          <Table
            name="Открытые входы"
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Браузер',
                cell: ({ browser }) => (
                  <span class="long" title={browser}>
                    {browserName(browser)}
                  </span>
                ),
              },
              { title: 'Адрес', cell: ({ address }) => address },
              { title: 'Вошли', cell: ({ created_at }) => <Moment at={created_at} /> },
              { title: 'Пользовались', cell: ({ used_at }) => <Moment at={used_at} /> },
              {
                title: 'Действие',
                cell: ({ id, is_current }) =>
                  is_current ? (
                    <span class="quiet">этот вход</span>
                  ) : (
                    <button type="button" onClick={() => end(id).catch(reload)}>
                      Закончить
                    </button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      <div>
        <ConfirmButton
          label="Выйти везде"
          question="Выйти везде, и здесь тоже?"
          isDangerous
          act={endAll}
        />
      </div>
    </section>
  )
}
