import { useState } from 'preact/hooks'
import { noPinOfAdministrator, refusalOfChange } from '../../../src/identity/staff/rights.ts'
import type { Calls, IssuedStaffToken, StaffUser } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Check, Choice, Form, TextField } from '../../ui/forms/form.tsx'
import { saveFile } from '../../ui/lists/save-file.ts'
import { Moment } from '../../ui/moment.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { ObjectJournal } from '../parts/object-journal.tsx'
import { useWarehouses } from '../parts/warehouse-choice.tsx'
import { isAtLeast } from '../rooms.ts'
import { roleChoices } from './roles.ts'
import { Tokens } from './tokens.tsx'

interface UserSettingsProps {
  readonly id: string
  readonly onChanged: () => void
  readonly onToken: (token: IssuedStaffToken) => void
}

/** One user, beside the list. Managers give PINs and warehouses. */
export function UserSettings({ id, onChanged, onToken }: UserSettingsProps) {
  const { hrefWith } = useAddress()
  const session = useSession()
  const [issued, setIssued] = useState('')
  const isAdministrator = isAtLeast(session.user, 'administrator')
  const { data, error, reload } = useAnswer(`user ${id}`, (signal) => findUser(id, signal))
  if (data === undefined) return <Waiting error={error} retry={reload} />
  if (data === null) return <p>Такого пользователя нет.</p>
  const changed = () => {
    showToast('Сохранено')
    reload()
    onChanged()
  }
  const change = async (body: Change) => {
    await staff('PATCH /users/{id}', { path: { id }, body })
    changed()
  }
  const refusal = refusalOfChange(session.user, data)
  return (
    <div class="stack">
      <div class="row">
        <h2>{data.name}</h2>
        <a class="button plain" href={hrefWith({ user: undefined })}>
          Закрыть
        </a>
      </div>
      {refusal !== undefined ? (
        <p class="small quiet">{refusal}.</p>
      ) : (
        <>
          {isAdministrator && <NameForm user={data} change={change} />}
          {isAdministrator && <RoleForm user={data} change={change} />}
          {isAdministrator && data.role === 'manager' && (
            <MoneySwitch user={data} change={change} />
          )}
          <PinForm user={data} onChanged={changed} />
          {data.role !== 'administrator' && data.active && (
            <Badge user={data} onChanged={changed} />
          )}
          <WarehousesForm user={data} onChanged={changed} />
          {isAdministrator && data.active && (
            <>
              <TokenForm
                user={data}
                onToken={(token) => {
                  setIssued(token.id)
                  onToken(token)
                }}
              />
              <Tokens user={data} version={issued} />
            </>
          )}
          {isAdministrator && <ActiveSwitch user={data} change={change} />}
        </>
      )}
      <ObjectJournal id={data.id} version={`${data.name} ${data.role} ${data.active} ${issued}`} />
    </div>
  )
}

async function findUser(id: string, signal: AbortSignal): Promise<StaffUser | null> {
  let cursor: string | undefined
  do {
    const page = await staff('GET /users', { query: { limit: 200, cursor }, signal })
    const user = page.items.find((item) => item.id === id)
    if (user !== undefined) return user
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return null
}

type Change = Calls['PATCH /users/{id}']['body']

interface ChangeProps {
  readonly user: StaffUser
  readonly change: (body: Change) => Promise<void>
}

function NameForm({ user, change }: ChangeProps) {
  return (
    <Form minor submit="Сохранить имя" act={(values) => change({ name: values.text('name') })}>
      <TextField
        name="name"
        label="Имя и фамилия"
        value={user.name === user.login ? '' : user.name}
        hint={`Так его видят остальные. Пусто — видят логин ${user.login}.`}
      />
    </Form>
  )
}

function RoleForm({ user, change }: ChangeProps) {
  return (
    <Form
      minor
      submit="Сохранить"
      act={(values) =>
        change({
          role: values.text('role') as StaffUser['role'],
          password: values.optional('password'),
        })
      }
    >
      <Choice name="role" label="Роль" options={roleChoices} value={user.role} />
      <TextField
        name="password"
        label="Новый пароль"
        type="password"
        autocomplete="new-password"
        hint="Пусто — прежний. Новый пароль завершает все входы."
      />
    </Form>
  )
}

/** Managers see tariffs, charges and acts where an administrator lets them. */
function MoneySwitch({ user, change }: ChangeProps) {
  return (
    <Form
      minor
      submit="Сохранить доступ"
      act={(values) => change({ sees_money: values.isChecked('sees_money') })}
    >
      <Check
        name="sees_money"
        label="Видит деньги"
        hint="Тарифы, начисления и акты, может их менять. После сохранения войдёт заново."
        checked={user.sees_money}
      />
    </Form>
  )
}

interface PartProps {
  readonly user: StaffUser
  readonly onChanged: () => void
}

function PinForm({ user, onChanged }: PartProps) {
  const path = { id: user.id }
  const isByPassword = user.role === 'administrator' && !user.has_pin
  if (isByPassword) return <p class="small quiet">{noPinOfAdministrator}.</p>
  return (
    <Form
      minor
      submit={user.has_pin ? 'Заменить PIN' : 'Задать PIN'}
      act={async (values) => {
        await staff('PUT /users/{id}/pin', { path, body: { pin: values.optional('pin') ?? null } })
        onChanged()
      }}
    >
      <TextField
        name="pin"
        label="PIN для терминала"
        type="password"
        inputMode="numeric"
        autocomplete="new-password"
        hint={
          user.pin_locked
            ? 'Заблокирован после пяти неудач: задайте новый.'
            : 'От 4 до 8 цифр. Пусто — убрать PIN.'
        }
      />
    </Form>
  )
}

/** A badge names its person on a handheld; the PIN is still asked. A new one takes the place of the one before. */
function Badge({ user, onChanged }: PartProps) {
  const path = { id: user.id }
  const { badge_issued_at: at } = user
  const print = async () => {
    const file = await staff('POST /users/{id}/badge', { path })
    saveFile(file, `Бейдж ${user.login}.pdf`)
    onChanged()
  }
  const block = async () => {
    await staff('DELETE /users/{id}/badge', { path })
    onChanged()
  }
  return (
    <section class="stack" aria-label="Бейдж">
      <p class="small quiet">
        {at === null ? (
          'Бейджа нет. По бейджу и PIN входят на терминале, не набирая логин.'
        ) : (
          <>
            Бейдж напечатан: <Moment at={at} />
          </>
        )}
      </p>
      <div class="row">
        {at === null ? (
          <ActionButton label="Напечатать бейдж" act={print} />
        ) : (
          <>
            <ConfirmButton
              label="Напечатать новый бейдж"
              question={`Напечатать новый бейдж: ${user.name}?`}
              consequence="Прежний сразу перестанет действовать."
              act={print}
            />
            <ActionButton label="Заблокировать бейдж" act={block} />
          </>
        )}
      </div>
    </section>
  )
}

function WarehousesForm({ user, onChanged }: PartProps) {
  const { data } = useWarehouses()
  if (data === undefined) return null
  return (
    <Form
      minor
      submit="Сохранить склады"
      act={async (values) => {
        await staff('PUT /users/{id}/warehouses', {
          path: { id: user.id },
          body: { warehouse_codes: values.all('warehouse_codes') },
        })
        onChanged()
      }}
    >
      <fieldset>
        <legend>Склады (без отметок — все)</legend>
        {data.items.map(({ code, name }) => (
          <Check
            key={code}
            name="warehouse_codes"
            value={code}
            label={`${code} · ${name}`}
            checked={user.warehouses.includes(code)}
          />
        ))}
      </fieldset>
    </Form>
  )
}

interface TokenFormProps {
  readonly user: StaffUser
  readonly onToken: (token: IssuedStaffToken) => void
}

function TokenForm({ user, onToken }: TokenFormProps) {
  return (
    <Form
      minor
      submit="Выпустить токен"
      act={async (values) => {
        const token = await staff('POST /users/{id}/tokens', {
          path: { id: user.id },
          body: { name: values.optional('name') },
        })
        onToken(token)
      }}
    >
      <TextField
        name="name"
        label="Токен для программы"
        hint="Имя программы; токен покажут один раз"
      />
    </Form>
  )
}

function ActiveSwitch({ user, change }: ChangeProps) {
  const act = (active: boolean) => () => change({ active })
  if (!user.active) {
    return (
      <div>
        <ActionButton
          label="Включить"
          act={act(true)}
          said={`${user.name} снова может войти, отозванные токены не вернулись`}
          undo={act(false)}
        />
      </div>
    )
  }
  return (
    <div>
      <ConfirmButton
        label="Выключить"
        question={`Выключить ${user.name}?`}
        consequence="Все его входы сразу закончатся, токены отзовутся, начатые задания освободятся. Токены потом не вернуть."
        danger
        act={act(false)}
      />
    </div>
  )
}
