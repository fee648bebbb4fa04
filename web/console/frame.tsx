import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useAnswer } from '../api/use-answer.ts'
import { staff } from '../staff/api.ts'
import { useSession } from '../staff/session.tsx'
import { mayLeave, UnsavedQuestion } from '../ui/forms/unsaved.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { HelpButton } from '../ui/help-button.tsx'
import { Bell } from '../ui/notices/bell.tsx'
import { ThemeChoice } from '../ui/theme/theme-choice.tsx'
import { Toasts } from '../ui/toast.tsx'
import { useTitle } from '../ui/use-title.ts'
import { Menu, RoomTabs } from './menu.tsx'
import { Palette } from './palette/palette.tsx'
import { paths } from './paths.ts'
import { noticeCalls } from './people/notice-calls.ts'
import { isAtLeast, mayEnter, type Page, pageAt } from './rooms.ts'
import { ScopeChoice } from './scope/scope-choice.tsx'
import { useScope } from './scope/use-scope.ts'

/** As often as the first page. */
const refreshMs = 15_000

/** What stays around every page of the console. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { url, path } = useLocation()
  const { user } = useSession()
  const page = pageAt(path)
  const isOpen = page === undefined || mayEnter(user, page)
  const { scope, kept, choose, isLeading } = useScope()
  const counters = useAnswer(
    `counters of ${JSON.stringify(scope)}`,
    (signal) => staff('GET /counters', { query: scope, signal }),
    { refreshMs },
  )
  const menu = { path, kept, counters: counters.data }
  // What was done on the page before may have changed them.
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) counters.reload()
    isFirst.current = false
  }, [path])
  useTitle(page?.title)
  return (
    <div class="console">
      <a class="skip" href="#content">
        К содержанию
      </a>
      <Side url={url} choice={<ScopeChoice scope={scope} choose={choose} />}>
        <Menu {...menu} />
      </Side>
      <div class="page">
        <RoomTabs {...menu} />
        <main id="content" class="content" tabIndex={-1}>
          {isOpen ? !isLeading && children : <Closed page={page} />}
        </main>
      </div>
      <Toasts />
      <UnsavedQuestion />
    </div>
  )
}

interface SideProps {
  readonly url: string
  readonly choice: ComponentChildren
  readonly children: ComponentChildren
}

/** The menu beside the page; on a phone it lies over the page while it is open. */
function Side({ url, choice, children }: SideProps) {
  const { user } = useSession()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  // Any other page closes the menu.
  useLayoutEffect(() => setOpen(false), [url])
  useLayoutEffect(() => {
    if (!isOpen) return
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOpen])
  return (
    <div class={isOpen ? 'side open' : 'side'}>
      <header class="top">
        <button
          ref={button}
          type="button"
          class="plain menu-button"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setOpen(!isOpen)}
        >
          Меню
        </button>
        <a class="brand" href={paths.today}>
          Sklad
        </a>
        <Palette />
        {choice}
        {isAtLeast(user, 'manager') && <Bell calls={noticeCalls} href={paths.notices} />}
      </header>
      <div id="menu" class="menu-panel">
        {children}
        <Leave />
      </div>
    </div>
  )
}

const openTo = {
  worker: 'всем',
  manager: 'менеджерам и администраторам',
  administrator: 'администраторам',
} as const

/** In place of a page that the user's role may not enter. */
function Closed({ page }: { readonly page: Page }) {
  return (
    <div class="stack">
      <h1>{page.title}</h1>
      <p class="notice" role="alert">
        {page.money
          ? 'Недостаточно прав: раздел открыт тем, кому администратор разрешил видеть деньги. Попросите его об этом.'
          : `Недостаточно прав: раздел открыт ${openTo[page.role]}. Попросите администратора дать вам эту роль.`}
      </p>
      <p>
        <a href={paths.today}>К тому, что ждёт сегодня</a>
      </p>
    </div>
  )
}

function Leave() {
  const { user, signOut } = useSession()
  const leaving = useAction(async () => (await mayLeave()) && signOut())
  return (
    <footer class="menu-foot">
      <div class="row">
        <HelpButton load={() => import('./help.tsx')} />
        <ThemeChoice />
      </div>
      <div class="row">
        <span class="who">{user.name}</span>
        <button type="button" class="plain" disabled={leaving.busy} onClick={() => leaving.run()}>
          Выйти
        </button>
      </div>
    </footer>
  )
}
