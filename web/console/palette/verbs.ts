import { allowsReceiptVerb, receiptStatuses } from '../../../src/warehouse/receipts/state.ts'
import { allowsShipmentVerb, shipmentStatuses } from '../../../src/warehouse/shipments/state.ts'
import type { CountDraft, LookupMatch, PrintJobDraft, StaffUser } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { oneOf } from '../../ui/lists/filters.tsx'
import { showToast } from '../../ui/toast.tsx'
import { startCount } from '../counts/count-button.tsx'
import { paperOf } from '../parts/paper.tsx'
import { printAtStation } from '../parts/print-button.tsx'
import { listOf, pathOf, paths } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import type { Found } from './found.ts'

const verbs = [
  'подтвердить',
  'начать',
  'напечатать',
  'закрыть',
  'добавить',
  'исправить',
  'пересчитать',
] as const
type Verb = (typeof verbs)[number]

/** «подтвердить R-000012»: the beginning of a verb is enough. */
export function verbIn(text: string): { readonly verb: Verb | undefined; readonly code: string } {
  const [, word = '', rest = ''] = /^(\p{L}{3,})\s+(\S.*)$/u.exec(text) ?? []
  const verb = verbs.find((each) => word !== '' && each.startsWith(word.toLocaleLowerCase('ru')))
  return verb === undefined ? { verb, code: text } : { verb, code: rest }
}

interface Doing extends Omit<Found, 'about'> {
  readonly verb: Verb
}

/** What a code means: its page, and what can be done to it now. With a verb, only what the verb does. */
export function verbsOf(match: LookupMatch, user: StaffUser, verb: Verb | undefined): Found[] {
  const about = match.client_name ?? ''
  const href = hrefOf(match)
  const doings = isAtLeast(user, 'manager') ? doingsOf(match) : []
  const able = doings.filter((each) => verb === undefined || each.verb === verb)
  const page = href === undefined || verb !== undefined ? [] : [{ title: match.title, about, href }]
  const { client_id, barcode, name } = match
  if (page.length > 0 && match.kind === 'goods' && client_id && barcode) {
    page.push(ordersOf({ client_id, barcode, name: name ?? barcode }, about))
  }
  return [...page, ...able.map(({ verb: _, ...found }) => ({ ...found, about }))]
}

interface NamedGoods {
  readonly client_id: string
  readonly barcode: string
  readonly name: string
}

/** An order is remembered by what was ordered. */
export function ordersOf({ client_id, barcode, name }: NamedGoods, about: string) {
  const href = listOf(paths.orders, { client_id, barcode })
  return { title: `Заказы с товаром: ${name}`, about, href }
}

function doingsOf(match: LookupMatch): Doing[] {
  const { kind, id, title, client_id: client, barcode } = match
  if (kind === 'goods' && client && barcode)
    return stockDoings(client, barcode, match.name ?? barcode)
  if (id === null) return []
  const name = title.charAt(0).toLowerCase() + title.slice(1)
  if (kind === 'receipt') return receiptDoings(match, id, name)
  if (kind === 'shipment') return shipmentDoings(match, id, name)
  if (kind === 'order') {
    if (match.status !== 'ASSEMBLING') return []
    return [labelDoing('order-sticker', id, name)]
  }
  if (kind !== 'box' && kind !== 'pallet' && kind !== 'location') return []
  return [labelDoing(`${kind}-label`, id, name), ...placeDoings(kind, id, name)]
}

/** What is wrong at a place is corrected there, or counted. */
function placeDoings(kind: 'box' | 'pallet' | 'location', id: string, name: string): Doing[] {
  if (kind === 'pallet') return []
  const scope = kind === 'box' ? { boxes: [id] } : { locations: [id] }
  return [
    {
      verb: 'исправить',
      title: `Исправить остаток: ${name}`,
      href: `${pathOf(kind, id)}?form=correct`,
    },
    countDoing({ scope }, name),
  ]
}

function countDoing(draft: CountDraft, name: string): Doing {
  const title = `Пересчитать: ${name}`
  return { verb: 'пересчитать', title, make: () => startCount(draft) }
}

/** A label comes out of the printer of a station, as from the buttons of pages. */
function labelDoing(kind: PrintJobDraft['kind'], id: string, name: string): Doing {
  const title = `Напечатать этикетку на станции: ${name}`
  return { verb: 'напечатать', title, act: () => printAtStation(kind, id) }
}

/** A request is confirmed on its page, where its manager sees what it is now. */
function receiptDoings({ status }: LookupMatch, id: string, name: string): Doing[] {
  const known = oneOf(status, receiptStatuses)
  const doing = (verb: Verb, title: string, act: () => Promise<unknown>): Doing => ({
    verb,
    title: `${title}: ${name}`,
    href: pathOf('receipt', id),
    act: async () => {
      await act()
      showToast(`Готово: ${name}`)
    },
  })
  const path = { id }
  return [
    ...(known && allowsReceiptVerb(known, 'confirm')
      ? [
          {
            verb: 'подтвердить',
            title: `Подтвердить: ${name}`,
            href: pathOf('receipt', id),
          } as const,
        ]
      : []),
    ...(known && allowsReceiptVerb(known, 'start')
      ? [doing('начать', 'Начать', () => staff('POST /receipts/{id}/start', { path }))]
      : []),
    { verb: 'напечатать', title: `Напечатать акт: ${name}`, file: paperOf('receipt', id) },
  ]
}

/** Closing asks its question on the page of the shipment. */
function shipmentDoings({ status }: LookupMatch, id: string, name: string): Doing[] {
  const known = oneOf(status, shipmentStatuses)
  const page = pathOf('shipment', id)
  return [
    ...(known && allowsShipmentVerb(known, 'fill')
      ? ([
          { verb: 'добавить', title: `Добавить заказы: ${name}`, href: `${page}?form=fill` },
          { verb: 'закрыть', title: `Закрыть: ${name}`, href: page },
        ] as const)
      : []),
    { verb: 'напечатать', title: `Напечатать акт: ${name}`, file: paperOf('shipment', id) },
  ]
}

function stockDoings(client_id: string, barcode: string, name: string): Doing[] {
  const goods = { client_id, barcode, of: barcode }
  return [
    {
      verb: 'исправить',
      title: `Исправить остаток: ${name}`,
      href: listOf(paths.stock, { ...goods, form: 'correct' }),
    },
    countDoing({ client_id, scope: { barcodes: [barcode] } }, name),
  ]
}

function hrefOf(match: LookupMatch): string | undefined {
  const { kind, id, client_id: client, barcode, order_id: order } = match
  if (kind === 'goods' && client && barcode)
    return listOf(paths.stock, { client_id: client, barcode })
  if ((kind === 'marking_code' || kind === 'return') && order) return pathOf('order', order)
  if (kind === 'return' && id !== null) return hrefOfReturn(match, id)
  if (id === null) return undefined
  return opens(kind) ? pathOf(kind, id) : undefined
}

/** What is expected says whether it has an order; a batch of returns has none. */
function hrefOfReturn({ order_id: order, client_id: client }: LookupMatch, id: string): string {
  if (order === undefined) return pathOf('return', id)
  return listOf(paths.expectedReturns, client === null ? {} : { client_id: client })
}

const opened = ['order', 'shipment', 'receipt', 'location', 'box', 'pallet'] as const

function opens(kind: LookupMatch['kind']): kind is (typeof opened)[number] {
  return opened.some((each) => each === kind)
}
