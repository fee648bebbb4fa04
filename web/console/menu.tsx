import type { WaitingCounters } from '../api/staff-calls.ts'
import { useSession } from '../staff/session.tsx'
import { number } from '../words/format.ts'
import { listOf } from './paths.ts'
import { isIn, type Page, type Room, roomsOf } from './rooms.ts'
import type { Scope } from './scope/kept.ts'

interface MenuProps {
  readonly path: string
  /** What links to lists name. */
  readonly kept: Scope
  readonly counters: WaitingCounters | undefined
}

/** The rooms that the user may enter, each with what waits there. */
export function Menu({ path, kept, counters }: MenuProps) {
  const { user } = useSession()
  return (
    <nav aria-label="Разделы">
      <ul class="rooms">
        {roomsOf(user).map((room) => (
          <li key={room.title}>
            <a
              href={hrefIn(kept, room.pages[0])}
              aria-current={isRoomOf(room, path) ? 'true' : undefined}
            >
              <Icon line={room.icon} />
              <span class="room-title">{room.title}</span>
              <Waiting pages={room.pages} counters={counters} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The pages of the room that is open. */
export function RoomTabs({ path, kept, counters }: MenuProps) {
  const { user } = useSession()
  const room = roomsOf(user).find((each) => isRoomOf(each, path))
  if (room === undefined || room.pages.length === 1) return null
  return (
    <nav class="room-tabs" aria-label={`Раздел «${room.title}»`}>
      {room.pages.map((page) => (
        <a
          key={page.href}
          href={hrefIn(kept, page)}
          aria-current={isIn(path, page.href) ? 'page' : undefined}
        >
          {page.title}
          <Waiting pages={[page]} counters={counters} />
        </a>
      ))}
    </nav>
  )
}

/** A list is asked for with what the frame shows. */
function hrefIn(kept: Scope, { href, scope = [] }: Page): string {
  const named = scope.flatMap((name) => (kept[name] === undefined ? [] : [[name, kept[name]]]))
  return named.length === 0 ? href : listOf(href, Object.fromEntries(named))
}

function isRoomOf({ pages }: Room, path: string): boolean {
  return pages.some(({ href }) => isIn(path, href))
}

interface WaitingProps {
  readonly pages: readonly Page[]
  readonly counters: WaitingCounters | undefined
}

function Waiting({ pages, counters }: WaitingProps) {
  if (counters === undefined) return null
  const waiting = pages.reduce((sum, { waiting }) => sum + (waiting?.(counters) ?? 0), 0)
  if (waiting === 0) return null
  return (
    <span class="waiting-count">
      <span class="visually-hidden">ждёт: </span>
      {number(waiting)}
    </span>
  )
}

function Icon({ line }: { readonly line: string }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={line} />
    </svg>
  )
}
