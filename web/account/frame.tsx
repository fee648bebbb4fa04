import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Failure } from '../ui/failure.tsx'
import { mayLeave, UnsavedQuestion } from '../ui/forms/unsaved.tsx'
import { type Action, useAction } from '../ui/forms/use-action.ts'
import { HelpButton } from '../ui/help-button.tsx'
import { Viewer } from '../ui/lists/use-saved-views.ts'
import { Bell } from '../ui/notices/bell.tsx'
import { ThemeChoice } from '../ui/theme/theme-choice.tsx'
import { Toasts } from '../ui/toast.tsx'
import { DeveloperSwitch } from './parts/developer.tsx'
import { paths } from './paths.ts'
import { noticeCalls } from './people/notice-calls.ts'
import { useSession } from './session.tsx'

interface Room {
  readonly href: string
  readonly title: string
}

const goods: readonly Room[] = [
  { href: paths.overview, title: 'Обзор' },
  { href: paths.sales, title: 'Продажи' },
  { href: paths.stock, title: 'Остатки' },
  { href: paths.cover, title: 'Запас в днях' },
  { href: paths.lots, title: 'Сроки годности' },
  { href: paths.orders, title: 'Заказы' },
  { href: paths.receipts, title: 'Приёмки' },
  { href: paths.shipments, title: 'Отгрузки' },
  { href: paths.returns, title: 'Возвраты' },
  { href: paths.metrics, title: 'Показатели' },
]
const money: Room = { href: paths.money, title: 'Деньги' }
const developers: readonly Room[] = [
  { href: paths.keys, title: 'Ключи' },
  { href: paths.webhooks, title: 'Вебхуки' },
  { href: paths.events, title: 'События' },
  { href: paths.calls, title: 'Вызовы' },
  { href: '/docs', title: 'Справочник API' },
]

/** What stays around every page of the account. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { session, signOut, switchTo, may } = useSession()
  const leaving = useAction(async () => (await mayLeave()) && signOut())
  const switching = useAction(switchTo)
  const isSandbox = session.kind === 'test_key'
  const people: readonly Room[] = isSandbox
    ? [{ href: paths.sandbox, title: 'Песочница' }]
    : [
        ...(may('owner') ? [{ href: paths.users, title: 'Пользователи' }] : []),
        { href: paths.security, title: 'Вход и пароль' },
      ]
  return (
    <div class="account">
      <header class="top">
        <a class="brand" href={paths.overview}>
          Sklad
        </a>
        <Clients switching={switching} />
        <span class="top-space" />
        <Bell calls={noticeCalls} href={paths.notices} />
        <span class="quiet who">{session.name ?? 'Песочница'}</span>
        <button type="button" class="plain" disabled={leaving.busy} onClick={() => leaving.run()}>
          Выйти
        </button>
      </header>
      <Navigation>
        <Rooms rooms={may('owner') ? [...goods, money] : goods} />
        <Rooms title="Разработчикам" rooms={developers}>
          <DeveloperSwitch />
        </Rooms>
        <Rooms title={isSandbox ? 'Тест' : 'Личный кабинет'} rooms={people} />
        <div class="rooms-foot">
          <HelpButton load={() => import('./help.tsx')} />
          <ThemeChoice />
        </div>
      </Navigation>
      <Failure error={leaving.error ?? switching.error} />
      {/* Nobody reads the figures of one client under the name of another. */}
      <main class="content" hidden={switching.busy}>
        <Viewer.Provider value={`account ${session.login ?? ''}`}>{children}</Viewer.Provider>
      </main>
      <Toasts />
      <UnsavedQuestion />
    </div>
  )
}

/** On a phone the rooms stand in one row, which is scrolled to the open one. */
function Navigation({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation()
  const nav = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (!nav.current || !here) return
    const { offsetLeft, clientWidth } = nav.current
    nav.current.scrollLeft = here.offsetLeft - offsetLeft - (clientWidth - here.offsetWidth) / 2
  }, [path])
  return (
    <nav ref={nav} class="rooms" aria-label="Разделы">
      {children}
    </nav>
  )
}

interface RoomsProps {
  readonly title?: string
  readonly rooms: readonly Room[]
  /** Below the rooms. */
  readonly children?: ComponentChildren
}

function Rooms({ title, rooms, children }: RoomsProps) {
  const { path } = useLocation()
  const isHere = (href: string) =>
    href === paths.overview ? path === href : path === href || path.startsWith(`${href}/`)
  return (
    <div class="rooms-group">
      {title && <p class="small quiet">{title}</p>}
      <ul>
        {rooms.map(({ href, title }) => (
          <li key={href}>
            <a href={href} aria-current={isHere(href) ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
      {children}
    </div>
  )
}

/** Whose data is shown; a choice where the user works for several clients. */
function Clients({ switching }: { readonly switching: Action<[clientId: string]> }) {
  const { session } = useSession()
  const id = useId()
  if (session.clients.length < 2) return <span class="client-name">{session.client.name}</span>
  return (
    <>
      <label for={id} class="visually-hidden">
        Клиент
      </label>
      <select
        key={String(switching.busy)}
        id={id}
        class="client-choice"
        disabled={switching.busy}
        onChange={async ({ currentTarget: choice }) => {
          if (await mayLeave()) await switching.run(choice.value)
          else choice.value = session.client.id
        }}
      >
        {session.clients.map((client) => (
          <option key={client.id} value={client.id} selected={client.id === session.client.id}>
            {client.name}
          </option>
        ))}
      </select>
    </>
  )
}
