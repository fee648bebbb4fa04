import { foldCase, wordForms } from '../../../src/platform/kernel/case-folding.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { type StaffSession, useSession } from '../../staff/session.tsx'
import { savedViews } from '../../ui/lists/saved-views.ts'
import { listOf, pathOf, paths } from '../paths.ts'
import { isAtLeast, roomsOf } from '../rooms.ts'
import { commands } from './commands.ts'

export interface Found {
  readonly title: string
  readonly about: string
  /** A page that it opens. */
  readonly href?: string
  /** A paper that it opens in a tab of its own. */
  readonly file?: string
  /** What it does at once. */
  readonly act?: () => unknown
  /** What it makes at once: the page of that opens. */
  readonly make?: () => Promise<string>
}

const shownMax = 14

/** What the text may mean: «R-000012» opens the receipt, «подтвердить R-000012» confirms it. */
export function useFound(text: string): readonly Found[] {
  const session = useSession()
  const { data } = useAnswer(`palette ${text}`, async (signal) =>
    text.length < 2 ? [] : foundByService(text, session, signal),
  )
  const named = useNamed(session)
  return [
    ...commandsOf(text, session),
    ...pagesOf(text, session),
    ...viewsOf(text, session),
    ...(text.length < 2 ? [] : matching(text, named)),
    ...(data ?? []),
  ].slice(0, shownMax)
}

interface Sought {
  readonly title: string
  /** Other words under which people look for it. */
  readonly words?: string
}

/** Those whose title or other words have the text, whatever the case and the layout of the keyboard. */
function matching<T extends Sought>(text: string, all: readonly T[]): T[] {
  const forms = wordForms(text)
  return all.filter(({ title, words = '' }) => {
    const folded = foldCase(`${title} ${words}`)
    return forms.some((form) => folded.includes(form))
  })
}

/** Pages come before rooms, of which the first page opens. */
function pagesOf(text: string, { user }: StaffSession): Found[] {
  const rooms = roomsOf(user)
  const pages = rooms.flatMap(({ title, pages }) => pages.map((page) => ({ ...page, room: title })))
  return [
    ...matching(text, pages).map(({ title, href, room }) => ({ title, about: room, href })),
    ...matching(text, rooms)
      .filter(({ title, pages: [first] }) => title !== first.title)
      .map(({ title, pages: [first] }) => ({ title, about: 'раздел', href: first.href })),
  ]
}

function viewsOf(text: string, { user }: StaffSession): Found[] {
  const views = savedViews(user.login).map(({ name, href }) => ({ title: name, href }))
  return matching(text, views).map((view) => ({ ...view, about: 'сохранённый вид' }))
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
      ...users.items.map(({ id, name }) => ({
        title: name,
        about: 'пользователь',
        href: listOf(paths.users, { user: id }),
      })),
    ]
  })
  return data ?? []
}

const goodsMax = 6

async function foundByService(
  text: string,
  { user }: StaffSession,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  // The first page does without it; and without network nothing is found.
  const verbs = await import('./verbs.ts').catch(() => undefined)
  if (verbs === undefined) return []
  const { ordersOf, verbIn, verbsOf } = verbs
  const { verb, code } = verbIn(text)
  const objects = staff('GET /lookup', { query: { code }, signal }).then(
    ({ matches }) => matches.flatMap((match) => verbsOf(match, user, verb)),
    () => [],
  )
  if (!isAtLeast(user, 'manager') || verb !== undefined) return objects
  const clients = staff('GET /clients', { query: { search: text, limit: 4 }, signal }).then(
    ({ items }) => items.flatMap(({ id, name }) => pagesOfClient(id, name)),
    () => [],
  )
  const goods = staff('GET /goods', { query: { name: text }, signal }).then(
    ({ items }) =>
      items.slice(0, goodsMax).flatMap(({ client_id, client_name, barcode, name }) => {
        const about = `${barcode} · ${client_name}`
        const href = listOf(paths.stock, { client_id, barcode })
        return [{ title: name, about, href }, ordersOf({ client_id, barcode, name }, about)]
      }),
    () => [],
  )
  return (await Promise.all([objects, clients, goods])).flat()
}

function pagesOfClient(id: string, name: string): Found[] {
  return [
    { title: name, about: 'клиент', href: pathOf('client', id) },
    { title: name, about: 'остатки клиента', href: listOf(paths.stock, { client_id: id }) },
  ]
}
