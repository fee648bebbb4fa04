import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { LookupMatch, NamedGoods } from '../api/staff-calls.ts'
import { useAnswer } from '../api/use-answer.ts'
import { staff } from '../staff/api.ts'
import { type StaffSession, useSession } from '../staff/session.tsx'
import { commands } from './commands.ts'
import { listOf, pathOf, paths } from './paths.ts'
import { isAtLeast, rooms } from './rooms.ts'

interface Found {
  readonly title: string
  readonly about: string
  /** Undefined where it does something at once. */
  readonly href?: string
  readonly act?: () => unknown
}

/** Ctrl K: a number, a barcode, a name or a room, and Enter opens it. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null)
  const { url } = useLocation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
  }, [isOpen])
  // Another page: what was chosen is open.
  useEffect(() => dialog.current?.close(), [url])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.code !== 'KeyK') return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button type="button" class="palette-button" onClick={() => setOpen(true)}>
        Найти <kbd>Ctrl K</kbd>
      </button>
      <dialog
        ref={dialog}
        class="palette"
        aria-label="Найти и открыть"
        onClose={() => setOpen(false)}
      >
        {isOpen && <Search />}
      </dialog>
    </>
  )
}

function Search() {
  const { route } = useLocation()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const found = useFound(text.trim())
  const choose = ({ href, act }: Found) => {
    if (href !== undefined) route(href)
    void act?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0))
    else if (event.key === 'Enter' && found[active]) choose(found[active])
    else return
    event.preventDefault()
  }
  return (
    <div class="stack">
      <input
        type="text"
        role="combobox"
        aria-label="Номер, штрихкод, название, раздел или команда"
        aria-expanded={found.length > 0}
        aria-controls="palette-list"
        aria-activedescendant={found[active] && `palette-${active}`}
        placeholder="Номер, штрихкод, имя или что сделать"
        autocomplete="off"
        autofocus
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label="Найдено" hidden={found.length === 0}>
        {found.map((each, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input reads the keys
          <div
            key={`${each.href} ${each.title} ${each.about}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={() => choose(each)}
          >
            {each.title} <span class="quiet small">{each.about}</span>
          </div>
        ))}
      </div>
      {text !== '' && found.length === 0 && <p class="quiet">Ничего не нашли.</p>}
    </div>
  )
}

function useFound(text: string): readonly Found[] {
  const session = useSession()
  const { data } = useAnswer(`palette ${text}`, async (signal) =>
    text.length < 2 ? [] : foundByService(text, session, signal),
  )
  const named = useNamed(session)
  return [
    ...commandsOf(text, session),
    ...roomsOf(text, session),
    ...(text.length < 2 ? [] : matching(text, named)),
    ...(data ?? []),
  ].slice(0, 14)
}

/** Those whose title has the text, whatever the case. */
function matching<T extends { readonly title: string }>(text: string, all: readonly T[]): T[] {
  const wanted = text.toLocaleLowerCase('ru')
  return all.filter(({ title }) => title.toLocaleLowerCase('ru').includes(wanted))
}

function roomsOf(text: string, { user }: StaffSession): Found[] {
  const all = rooms.flatMap((group) => group.rooms).filter(({ role }) => isAtLeast(user, role))
  return matching(text, all).map(({ title, href }) => ({ title, about: 'раздел', href }))
}

function commandsOf(text: string, { user, signOut }: StaffSession): Found[] {
  if (text === '') return []
  const all = commands.filter(({ role }) => isAtLeast(user, role))
  return [
    ...matching(text, all).map(({ title, href }) => ({ title, about: 'команда', href })),
    ...matching(text, [{ title: 'Выйти', about: 'команда', act: signOut }]),
  ]
}

/** Cabinets and users have no search of their own: the first two hundred of each are found by name. */
function useNamed({ user }: StaffSession): readonly Found[] {
  const { data } = useAnswer('palette names', async (signal): Promise<Found[]> => {
    if (!isAtLeast(user, 'manager')) return []
    const query = { limit: 200 }
    const [cabinets, users] = await Promise.all([
      staff('GET /cabinets', { query, signal }),
      staff('GET /users', { query, signal }),
    ])
    return [
      ...cabinets.items.map(({ id, name, marketplace }) => ({
        title: `${marketplace} ${name}`,
        about: 'кабинет',
        href: pathOf('cabinet', id),
      })),
      ...users.items.map(({ id, login }) => ({
        title: login,
        about: 'пользователь',
        href: listOf(paths.users, { user: id }),
      })),
    ]
  })
  return data ?? []
}

async function foundByService(
  text: string,
  { user }: StaffSession,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const matches = staff('GET /lookup', { query: { code: text }, signal }).then(
    ({ matches }) => matches.map(foundOf).filter((found) => found !== undefined),
    () => [],
  )
  if (!isAtLeast(user, 'manager')) return matches
  const clients = staff('GET /clients', { query: { search: text, limit: 4 }, signal }).then(
    ({ items }) => items.flatMap(({ id, name }) => pagesOf(id, name)),
    () => [],
  )
  const goods = staff('GET /goods', { query: { name: text }, signal }).then(
    ({ items }) => items.slice(0, goodsMax).map(goodsFound),
    () => [],
  )
  return (await Promise.all([matches, clients, goods])).flat()
}

const goodsMax = 6

function goodsFound({ client_id, client_name, barcode, name }: NamedGoods): Found {
  return {
    title: name,
    about: `${barcode} · ${client_name}`,
    href: listOf(paths.stock, { client_id, barcode }),
  }
}

function pagesOf(id: string, name: string): Found[] {
  return [
    { title: name, about: 'клиент', href: pathOf('client', id) },
    { title: name, about: 'остатки клиента', href: listOf(paths.stock, { client_id: id }) },
  ]
}

function foundOf(match: LookupMatch): Found | undefined {
  const href = hrefOf(match)
  if (href === undefined) return undefined
  return { title: match.title, about: match.client_name ?? '', href }
}

function hrefOf({ kind, id, client_id: client, barcode, order_id: order }: LookupMatch) {
  if (kind === 'goods' && client && barcode)
    return listOf(paths.stock, { client_id: client, barcode })
  if ((kind === 'marking_code' || kind === 'return') && order) return pathOf('order', order)
  if (id === null) return undefined
  return opens(kind) ? pathOf(kind, id) : undefined
}

const opened = ['order', 'shipment', 'receipt', 'location', 'box', 'pallet'] as const

function opens(kind: LookupMatch['kind']): kind is (typeof opened)[number] {
  return opened.some((each) => each === kind)
}
