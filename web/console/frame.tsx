import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useSession } from '../staff/session.tsx'
import { Toasts } from '../ui/toast.tsx'
import { useAction } from '../ui/use-action.ts'
import { useTitle } from '../ui/use-title.ts'
import { Palette } from './palette/palette.tsx'
import { paths } from './paths.ts'
import { isAtLeast, isIn, type Room, roomAt, rooms } from './rooms.ts'

/** What stays around every page of the console. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { url, path } = useLocation()
  const { user } = useSession()
  const content = useRef<HTMLElement>(null)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const room = roomAt(path)
  const isOpen = room === undefined || isAtLeast(user, room.role)
  // Any other page closes the menu.
  useEffect(() => setMenuOpen(false), [url])
  useTitle(room?.title)
  return (
    <div class="console">
      {/* biome-ignore lint/a11y/useValidAnchor: it moves the focus and leaves the address as it is */}
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault()
          content.current?.focus()
        }}
      >
        К содержанию
      </a>
      <header class="top">
        <button
          type="button"
          class="menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="rooms"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          Меню
        </button>
        <a class="brand" href={paths.today}>
          Sklad
        </a>
        <span class="top-space" />
        <Palette />
        <Leave />
      </header>
      <nav id="rooms" class={isMenuOpen ? 'rooms open' : 'rooms'} aria-label="Разделы">
        <Rooms path={path} />
      </nav>
      <main ref={content} id="content" class="content" tabIndex={-1}>
        {isOpen ? children : <Closed room={room} />}
      </main>
      <Toasts />
    </div>
  )
}

const openTo = {
  worker: 'всем',
  manager: 'менеджерам и администраторам',
  administrator: 'администраторам',
} as const

/** In place of a room that the user's role may not enter. */
function Closed({ room }: { readonly room: Room }) {
  return (
    <div class="stack">
      <h1>{room.title}</h1>
      <p class="notice" role="alert">
        Недостаточно прав: раздел открыт {openTo[room.role]}. Попросите администратора дать вам эту
        роль.
      </p>
      <p>
        <a href={paths.today}>К тому, что ждёт сегодня</a>
      </p>
    </div>
  )
}

function Rooms({ path }: { readonly path: string }) {
  const { user } = useSession()
  const groups = rooms
    .map((group) => ({ ...group, rooms: group.rooms.filter(({ role }) => isAtLeast(user, role)) }))
    .filter((group) => group.rooms.length > 0)
  return (
    <>
      {groups.map((group) => (
        <section key={group.title}>
          <h2>{group.title}</h2>
          <ul>
            {group.rooms.map(({ href, title }) => (
              <li key={href}>
                <a href={href} aria-current={isIn(path, href) ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function Leave() {
  const { user, signOut } = useSession()
  const leaving = useAction(signOut)
  return (
    <>
      <span class="quiet who">{user.name}</span>
      <button type="button" class="plain" disabled={leaving.busy} onClick={() => leaving.run()}>
        Выйти
      </button>
    </>
  )
}
