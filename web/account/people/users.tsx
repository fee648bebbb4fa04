import { useState } from 'preact/hooks'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { CreatedInvitation, SellerMember } from '../../api/account-calls.ts'
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
import { ListFiles } from '../parts/list-files.tsx'
import { Badge, Loaded, Page } from '../parts/page.tsx'
import { useSession } from '../session.tsx'
import { roleWords } from './invitation.tsx'

type Role = SellerMember['role']
const roles = Object.keys(roleWords) as Role[]

export function Users() {
  const { session, may } = useSession()
  if (session.kind === 'user' && may('owner')) return <Members />
  return (
    <Page title="Пользователи">
      <p class="notice warn">
        {session.kind === 'user'
          ? 'Пользователями управляет владелец личного кабинета: нужна роль «владелец».'
          : 'В песочницу входят тестовым ключом: пользователей у неё нет.'}
      </p>
    </Page>
  )
}

function Members() {
  const { session } = useSession()
  const users = useAnswer('users', (signal) => account('GET /users', { signal }), {
    refreshMs: listRefreshMs,
  })
  const [linked, setLinked] = useState<{ readonly login: string; readonly link: string }>()
  const invitations = useAnswer(
    'invitations',
    (signal) => account('GET /invitations', { signal }),
    { refreshMs: listRefreshMs },
  )
  return (
    <Page title="Пользователи">
      <Invite invited={invitations.reload} />
      {linked && (
        <div class="notice good stack" role="status">
          <p>
            Передайте ссылку для нового пароля пользователю {linked.login}: она действует один раз и
            сутки.
          </p>
          <p>
            <code class="secret">{linked.link}</code>
          </p>
          <CopyButton text={linked.link} />
        </div>
      )}
      <Loaded answer={users}>
        {({ items }) => (
          <Table
            name="Пользователи"
            rows={items}
            keyOf={({ user_id }) => user_id}
            files={<ListFiles list="users" />}
            columns={[
              { title: 'Имя', cell: ({ name }) => <span class="long">{name}</span> },
              { title: 'Логин', cell: ({ login }) => <span class="long">{login}</span> },
              { title: 'Роль', cell: ({ role }) => roleWords[role] },
              { title: 'Вход с кодом', cell: ({ two_factor }) => (two_factor ? 'да' : 'нет') },
              {
                title: 'Был',
                cell: ({ last_used_at }) => <Moment at={last_used_at} none="давно" />,
              },
              {
                title: 'Действия',
                cell: (member) =>
                  member.user_id === session.user_id ? (
                    <span class="quiet">это вы</span>
                  ) : (
                    <MemberActions member={member} changed={users.reload} linked={setLinked} />
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      <h2>Приглашения</h2>
      <Loaded answer={invitations}>
        {({ items }) => (
          <Table
            name="Приглашения"
            rows={items}
            keyOf={({ id }) => id}
            files={<ListFiles list="invitations" />}
            columns={[
              { title: 'Кому', cell: ({ note }) => <span class="long">{note}</span> },
              { title: 'Роль', cell: ({ role }) => roleWords[role] },
              {
                title: 'Состояние',
                main: true,
                cell: ({ status, login }) => (
                  <>
                    {states[status]} {login}
                  </>
                ),
              },
              { title: 'Действует до', cell: ({ expires_at }) => <Moment at={expires_at} /> },
              {
                title: 'Действие',
                cell: ({ id, note, status }) =>
                  status === 'WAITING' && (
                    <ConfirmButton
                      label="Отозвать"
                      question={`Отозвать приглашение для ${quoted(note)}? Ссылка перестанет действовать.`}
                      isDangerous
                      asksPassword
                      act={async (password) => {
                        await account('POST /invitations/{id}/revoke', {
                          path: { id },
                          body: { password },
                        })
                        invitations.reload()
                      }}
                    />
                  ),
              },
            ]}
            empty={<p class="quiet">Никого ещё не приглашали.</p>}
          />
        )}
      </Loaded>
    </Page>
  )
}

const states = {
  WAITING: <Badge tone="busy">Ждёт</Badge>,
  USED: <Badge tone="good">Принято:</Badge>,
  REVOKED: <Badge tone="bad">Отозвано</Badge>,
  EXPIRED: <Badge tone="plain">Срок прошёл</Badge>,
} as const

interface MemberActionsProps {
  readonly member: SellerMember
  readonly changed: () => void
  readonly linked: (made: { readonly login: string; readonly link: string }) => void
}

function MemberActions({ member, changed, linked }: MemberActionsProps) {
  const { user_id: id, login } = member
  const set = async (password: string, form: HTMLFormElement) => {
    const role = fieldsOf(form).role as Role
    await account('PATCH /users/{id}', { path: { id }, body: { role, password } })
    changed()
  }
  const remove = async (password: string) => {
    await account('POST /users/{id}/remove', { path: { id }, body: { password } })
    changed()
  }
  const link = async (password: string, form: HTMLFormElement) => {
    const body = { password, drops_codes: fieldsOf(form).drops_codes !== undefined }
    const made = await account('POST /users/{id}/password-link', { path: { id }, body })
    linked({ login, link: made.link })
  }
  return (
    <div class="row">
      <ConfirmButton
        label="Новый пароль"
        question={`Сделать ссылку для нового пароля пользователя ${login}?`}
        asksPassword
        act={link}
      >
        {member.two_factor && (
          <label class="choice">
            <input type="checkbox" name="drops_codes" />
            <span>Телефон с кодами потерян: выключить вход с кодом</span>
          </label>
        )}
      </ConfirmButton>
      <ConfirmButton
        label="Роль"
        agree="Сменить роль"
        question={`Что разрешить пользователю ${login}?`}
        asksPassword
        act={set}
      >
        <Roles shown={member.role} />
      </ConfirmButton>
      <ConfirmButton
        label="Забрать доступ"
        question={`Забрать доступ у пользователя ${login}? Его открытые входы закончатся.`}
        isDangerous
        asksPassword
        act={remove}
      />
    </div>
  )
}

function Roles({ shown }: { readonly shown: Role }) {
  return (
    <fieldset class="choices">
      <legend>Роль</legend>
      {roles.map((role) => (
        <label key={role} class="choice">
          <input type="radio" name="role" value={role} defaultChecked={role === shown} />
          <span>{roleWords[role]}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Invite({ invited }: { readonly invited: () => void }) {
  const [made, setMade] = useState<CreatedInvitation>()
  const action = useAction(async (form: HTMLFormElement) => {
    const { note = '', role = 'viewer', password = '' } = fieldsOf(form)
    setMade(await account('POST /invitations', { body: { note, role: role as Role, password } }))
    form.reset()
    invited()
  })
  const problems = problemsOf(action.error)
  return (
    <details class="panel">
      <summary>Пригласить</summary>
      <GuardedForm class="stack" noValidate action={action}>
        <Field name="note" label="Кого: имя или адрес" maxLength={200} problem={problems.note} />
        <Roles shown="viewer" />
        <Field
          name="password"
          label="Ваш пароль ещё раз"
          type="password"
          autocomplete="current-password"
          problem={problems.password}
        />
        <FormFailure error={action.error} fields={['note', 'role', 'password']} />
        <div>
          <button type="submit" class="primary" disabled={action.busy}>
            Сделать ссылку
          </button>
        </div>
      </GuardedForm>
      {made && (
        <div class="notice good stack" role="status">
          <p>Передайте ссылку приглашённому: она действует один раз и неделю.</p>
          <p>
            <code class="secret">{made.link}</code>
          </p>
          <CopyButton text={made.link} />
        </div>
      )}
    </details>
  )
}
