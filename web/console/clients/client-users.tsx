import { useState } from 'preact/hooks'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { ClientUsers, CreatedInvitation, SellerMember } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Choice, TextField } from '../../ui/forms/form.tsx'
import { Beside } from '../../ui/heading.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { PasswordLink } from './password-link.tsx'
import { RoleChange, sellerRoles } from './role-change.tsx'

type Invitation = ClientUsers['invitations'][number]
interface Link {
  readonly title: string
  readonly link: string
  readonly hint: string
}

/** People of the client who use the account, and who was invited. */
export function ClientUsersTab({ clientId }: { readonly clientId: string }) {
  const { query, hrefWith, go } = useAddress()
  const [link, setLink] = useState<Link>()
  const { data, error, reload } = useAnswer(
    `client users ${clientId}`,
    (signal) => staff('GET /clients/{id}/users', { path: { id: clientId }, signal }),
    { refreshMs: 30_000 },
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const onInvited = ({ invitation, link: shown }: CreatedInvitation) => {
    setLink({
      title: `Ссылка для: ${invitation.note}`,
      link: shown,
      hint: 'Передайте её человеку сейчас: ссылку больше не покажут. Она действует один раз и неделю.',
    })
    go({ form: undefined }, true)
    reload()
  }
  return (
    <Beside form={query.form === 'invite' && <Invite clientId={clientId} onInvited={onInvited} />}>
      {link !== undefined && (
        <ShownOnce
          title={link.title}
          secret={link.link}
          hint={link.hint}
          onDone={() => setLink(undefined)}
        />
      )}
      <div class="row">
        <a class="button primary" href={hrefWith({ form: 'invite' })}>
          Пригласить
        </a>
      </div>
      <Failure error={error} retry={reload} />
      <Members clientId={clientId} users={data.users} changed={reload} onLink={setLink} />
      {data.invitations.length > 0 && (
        <>
          <h2>Приглашения</h2>
          <Table
            name="Приглашения"
            rows={data.invitations}
            columns={invitationColumns(clientId, reload)}
            keyOf={({ id }) => id}
            files={<ExportLinks list="invitations" filter={{ client_id: clientId }} />}
          />
        </>
      )}
    </Beside>
  )
}

interface MembersProps {
  readonly clientId: string
  readonly users: readonly SellerMember[]
  readonly changed: () => void
  readonly onLink: (link: Link) => void
}

function Members({ users, ...rest }: MembersProps) {
  if (users.length === 0) {
    return (
      <p class="empty">
        В личный кабинет ещё никто не входит. Пригласите человека: он получит ссылку и сам задаст
        пароль.
      </p>
    )
  }
  return (
    <Table
      name="Пользователи личного кабинета"
      rows={users}
      columns={memberColumns(rest)}
      keyOf={({ user_id: id }) => id}
      files={<ExportLinks list="client-users" filter={{ client_id: rest.clientId }} />}
    />
  )
}

function memberColumns({
  clientId,
  changed,
  onLink,
}: Omit<MembersProps, 'users'>): readonly Column<SellerMember>[] {
  return [
    { title: 'Имя', cell: ({ name }) => name },
    { title: 'Логин', cell: ({ login }) => login },
    {
      title: 'Роль',
      cell: (member) => <RoleChange clientId={clientId} member={member} changed={changed} />,
    },
    {
      title: 'Вход',
      cell: ({ two_factor: codes }) => (codes ? 'по паролю и коду' : 'по паролю'),
    },
    {
      title: 'Был в личном кабинете',
      cell: ({ last_used_at: at }) => <Moment at={at} none="давно" />,
    },
    {
      title: 'Действия',
      cell: (member) => (
        <div class="row">
          <PasswordLink
            clientId={clientId}
            member={member}
            onMade={(link) =>
              onLink({
                title: `Ссылка для нового пароля ${member.login}`,
                link,
                hint: 'Передайте её человеку сейчас: ссылку больше не покажут. Она действует один раз и сутки.',
              })
            }
          />
          <ConfirmButton
            label="Забрать доступ"
            question={`Забрать у ${member.login} доступ к личному кабинету?`}
            consequence="Он больше не увидит этого клиента, его входы сразу закончатся. Пригласить его снова можно."
            danger
            act={async () => {
              const path = { id: clientId, user_id: member.user_id }
              await staff('DELETE /clients/{id}/users/{user_id}', { path })
              changed()
            }}
          />
        </div>
      ),
    },
  ]
}

const states: Readonly<Record<Invitation['status'], readonly [Tone, string]>> = {
  WAITING: ['warn', 'ждёт'],
  USED: ['good', 'принято'],
  REVOKED: ['quiet', 'отозвано'],
  EXPIRED: ['quiet', 'срок прошёл'],
}

function invitationColumns(clientId: string, changed: () => void): readonly Column<Invitation>[] {
  return [
    { title: 'Для кого', cell: ({ note }) => <span class="name">{note}</span> },
    { title: 'Роль', cell: ({ role }) => sellerRoles[role] },
    {
      title: 'Состояние',
      main: true,
      cell: ({ status }) => <Badge tone={states[status][0]} word={states[status][1]} />,
    },
    { title: 'Кто принял', cell: ({ login }) => login ?? '—' },
    { title: 'Действует до', cell: ({ expires_at: at }) => <Moment at={at} /> },
    {
      title: 'Действия',
      cell: ({ id, note, status }) =>
        status === 'WAITING' && (
          <ConfirmButton
            label="Отозвать"
            question={`Отозвать приглашение для ${quoted(note)}?`}
            consequence="Ссылка сразу перестанет действовать. Можно пригласить заново."
            danger
            act={async () => {
              const path = { id: clientId, invitation_id: id }
              await staff('POST /clients/{id}/invitations/{invitation_id}/revoke', { path })
              changed()
            }}
          />
        ),
    },
  ]
}

interface InviteProps {
  readonly clientId: string
  readonly onInvited: (made: CreatedInvitation) => void
}

function Invite({ clientId, onInvited }: InviteProps) {
  return (
    <OpenedForm
      title="Приглашение в личный кабинет"
      submit="Получить ссылку"
      act={async (values) => {
        const made = await staff('POST /clients/{id}/users', {
          path: { id: clientId },
          body: {
            note: values.text('note'),
            role: values.text('role') as SellerMember['role'],
          },
        })
        onInvited(made)
      }}
    >
      <TextField name="note" label="Для кого" hint="Имя или адрес человека" required autofocus />
      <Choice
        name="role"
        label="Роль"
        options={Object.entries(sellerRoles).map(([value, text]) => ({ value, text }))}
        value="owner"
      />
    </OpenedForm>
  )
}
