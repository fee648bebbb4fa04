import { useState } from 'preact/hooks'
import type { IssuedStaffToken, StaffUser } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Choice, TextField } from '../../ui/forms/form.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { isAtLeast } from '../rooms.ts'
import { roleChoices, roles } from './roles.ts'
import { UserSettings } from './user-settings.tsx'

export default function Users() {
  const { query, hrefWith, go } = useAddress()
  const isAdministrator = isAtLeast(useSession().user, 'administrator')
  const [version, setVersion] = useState(0)
  const [token, setToken] = useState<IssuedStaffToken>()
  const changed = () => setVersion((last) => last + 1)
  const onMade = ({ id }: StaffUser) => {
    changed()
    go({ form: undefined, user: id })
  }
  const form =
    isAdministrator && query.form === 'new' ? (
      <NewUser onMade={onMade} />
    ) : (
      query.user !== undefined && (
        <UserSettings key={query.user} id={query.user} onChanged={changed} onToken={setToken} />
      )
    )
  return (
    <div class="stack">
      <Heading title="Пользователи" about="Сотрудники склада и программы, которые работают за них">
        {isAdministrator && (
          <a class="button primary" href={hrefWith({ form: 'new', user: undefined })}>
            Завести пользователя
          </a>
        )}
      </Heading>
      {token !== undefined && (
        <ShownOnce
          title="Токен выпущен"
          secret={token.token}
          hint="Сохраните его в программе сейчас: больше токен не покажут."
          onDone={() => setToken(undefined)}
        />
      )}
      <Beside form={form}>
        <List
          name="Пользователи"
          version={version}
          columns={columnsOf(hrefWith)}
          keyOf={({ id }) => id}
          ask={({ signal, ...page }) => staff('GET /users', { query: page, signal })}
          files={<ExportLinks list="users" />}
          empty="Пользователей нет. Добавьте человека: кнопка справа вверху."
        />
      </Beside>
    </div>
  )
}

type HrefWith = ReturnType<typeof useAddress>['hrefWith']

function columnsOf(hrefWith: HrefWith): readonly Column<StaffUser>[] {
  return [
    {
      title: 'Имя',
      cell: ({ id, name }) => <a href={hrefWith({ user: id, form: undefined })}>{name}</a>,
    },
    { title: 'Логин', cell: ({ login }) => login },
    { title: 'Роль', cell: ({ role }) => roles[role] },
    {
      title: 'Состояние',
      main: true,
      cell: ({ active }) =>
        active ? <Badge tone="good" word="работает" /> : <Badge tone="quiet" word="выключен" />,
    },
    { title: 'Склады', cell: ({ warehouses }) => warehouses.join(', ') || 'все' },
    {
      title: 'Входит',
      cell: (user) => (
        <>
          {waysIn(user)}
          {user.pin_locked && <Badge tone="bad" word="PIN заблокирован" />}
        </>
      ),
    },
    { title: 'Заведён', cell: ({ created_at: at }) => <Moment at={at} /> },
  ]
}

function waysIn({ has_password: password, has_pin: pin }: StaffUser): string {
  const ways = [password && 'по паролю', pin && 'по PIN'].filter(Boolean)
  return ways.join(', ') || 'только по токену'
}

function NewUser({ onMade }: { readonly onMade: (user: StaffUser) => void }) {
  return (
    <OpenedForm
      title="Новый пользователь"
      submit="Завести"
      act={async (values) => {
        const user = await staff('POST /users', {
          body: {
            login: values.text('login'),
            name: values.optional('name'),
            role: values.text('role') as StaffUser['role'],
            password: values.optional('password'),
          },
        })
        onMade(user)
      }}
    >
      <TextField
        name="login"
        label="Логин"
        hint="Латинские буквы, цифры, точка, дефис"
        required
        autofocus
      />
      <TextField name="name" label="Имя и фамилия" hint="Так его видят остальные" />
      <Choice name="role" label="Роль" options={roleChoices} value="worker" />
      <TextField
        name="password"
        label="Пароль"
        type="password"
        autocomplete="new-password"
        hint="Без пароля — только вход по PIN или токену"
      />
    </OpenedForm>
  )
}
