import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Today } from '../../api/staff-calls.ts'
import { Badge } from '../../ui/badge.tsx'
import { moment, number, plural, untilDeadline } from '../../words/format.ts'
import { DecisionLinks } from '../misses/waiting.tsx'
import { placeWords } from '../misses/words.ts'
import { listOf, pathOf, paths } from '../paths.ts'
import { CountCard, ExceptionCard, ReceiptCard } from './goods.tsx'
import { CabinetCard, KeyRequestCard, WebhookCard } from './links.tsx'
import { RefusedMarksCard } from './marks.tsx'
import { isNearlyDue, ShipmentCard, UncoveredCard } from './orders.tsx'
import { type Item, Thing } from './section.tsx'
import { type BurningKind, type Urgency, worstFirst } from './worst-first.ts'

interface Card extends Urgency {
  readonly key: string
  readonly body: ComponentChildren
}

const titles: Readonly<Record<BurningKind, string>> = {
  miss: 'Не нашли при сборке',
  mark: 'Код не приняли',
  shipment: 'Отгрузка горит',
  uncovered: 'Не хватает товара',
  cabinet: 'Кабинет',
  exception: 'Скан ждёт решения',
  aside: 'Единица отложена',
  receipt: 'Приёмка ждёт решения',
  key: 'Клиент просит ключ',
  count: 'Пересчёт',
  webhook: 'Вебхук отключён',
}

const openExceptions = listOf(paths.exceptions, { status: 'OPEN' })

/** The whole lists of the kinds that have one. */
const lists: Partial<Readonly<Record<BurningKind, string>>> = {
  miss: listOf(paths.misses, { status: 'OPEN' }),
  shipment: listOf(paths.shipments, { status: 'ASSEMBLING', sort: 'deadline' }),
  uncovered: listOf(paths.orders, { lacking: 'any' }),
  exception: openExceptions,
  aside: openExceptions,
  receipt: listOf(paths.receipts, { status: 'PENDING_CONFIRMATION' }),
  count: paths.counts,
}

const worstKinds: readonly BurningKind[] = ['miss', 'mark', 'shipment']

const shownFirst = 12

interface BurningProps {
  readonly today: Today
  readonly manages: boolean
  readonly reload: () => void
}

/** What stands in the way, of all kinds, the worst first; each with what to do about it. */
export function Burning({ today, manages, reload }: BurningProps) {
  const [all, showAll] = useState(false)
  const now = Date.now()
  const cards = [...urgentCards(today, reload), ...(manages ? managedCards(today, reload) : [])]
  cards.sort((one, other) => worstFirst(one, other, now))
  if (cards.length === 0) return <Calm toPick={today.to_pick.total} />
  return (
    <section class="panel burning">
      <div class="today-head">
        <h2>Что горит: {number(countOf(today, manages, cards.length))}</h2>
      </div>
      <ul>
        {cards.slice(0, all ? cards.length : shownFirst).map(({ kind, key, body }) => (
          <li key={`${kind} ${key}`}>
            <Kind kind={kind} />
            {body}
          </li>
        ))}
      </ul>
      {!all && cards.length > shownFirst && (
        <button type="button" onClick={() => showAll(true)}>
          Показать все: {number(cards.length)}
        </button>
      )}
    </section>
  )
}

/** What to do while nothing stands in the way. */
function Calm({ toPick }: { readonly toPick: number }) {
  return (
    <section class="panel calm">
      <h2>Ничего не горит</h2>
      {toPick === 0 ? (
        <p class="quiet">Новые заказы появятся здесь сами, как только их пришлёт маркетплейс.</p>
      ) : (
        <p>
          <a href={listOf(paths.orders, { stage: 'to_pick' })}>
            {plural(toPick, 'заказ ждёт', 'заказа ждут', 'заказов ждут')} сборки
          </a>
          : соберите из них следующую отгрузку.
        </p>
      )}
    </section>
  )
}

/** Sections that all stand here, whose answer may hold more than it shows. */
function countOf(today: Today, manages: boolean, shown: number): number {
  const { misses, refused_marks, exceptions, receipts, key_requests, counts } = today
  const { uncovered, cabinets, webhooks } = today
  const sections = [misses, refused_marks, exceptions, receipts, key_requests, counts]
  return [...sections, ...(manages ? [uncovered, cabinets, webhooks] : [])].reduce(
    (count, section) => count + (section === undefined ? 0 : section.total - section.items.length),
    shown,
  )
}

/** Leads to the whole list of its kind, where there is one. */
function Kind({ kind }: { readonly kind: BurningKind }) {
  const badge = <Badge tone={worstKinds.includes(kind) ? 'bad' : 'warn'} word={titles[kind]} />
  const href = lists[kind]
  return <div class="kind">{href === undefined ? badge : <a href={href}>{badge}</a>}</div>
}

function urgentCards(today: Today, reload: () => void): Card[] {
  return [
    ...(today.misses?.items ?? []).map(
      (miss): Card => ({
        kind: 'miss',
        key: miss.miss_id,
        deadline: miss.deadline,
        body: <MissCard miss={miss} />,
      }),
    ),
    ...(today.refused_marks?.items ?? []).map(
      (order): Card => ({
        kind: 'mark',
        key: order.order_id,
        deadline: order.deadline,
        body: <RefusedMarksCard order={order} reload={reload} />,
      }),
    ),
    ...today.shipments.items.filter(isNearlyDue).map(
      (shipment): Card => ({
        kind: 'shipment',
        key: shipment.shipment_id,
        deadline: shipment.deadline,
        body: <ShipmentCard shipment={shipment} reload={reload} />,
      }),
    ),
    ...(today.exceptions?.items ?? []).map(
      (exception): Card => ({
        kind: exception.set_aside ? 'aside' : 'exception',
        key: exception.exception_id,
        deadline: null,
        body: <ExceptionCard exception={exception} reload={reload} />,
      }),
    ),
    ...(today.receipts?.items ?? []).map(
      (receipt): Card => ({
        kind: 'receipt',
        key: receipt.receipt_id,
        deadline: null,
        body: <ReceiptCard receipt={receipt} />,
      }),
    ),
    ...(today.key_requests?.items ?? []).map(
      (request): Card => ({
        kind: 'key',
        key: request.request_id,
        deadline: null,
        body: <KeyRequestCard request={request} />,
      }),
    ),
    ...today.counts.items.map(
      (count): Card => ({
        kind: 'count',
        key: count.count_id,
        deadline: null,
        body: <CountCard count={count} />,
      }),
    ),
  ]
}

function managedCards(today: Today, reload: () => void): Card[] {
  return [
    ...today.uncovered.items.map(
      (goods): Card => ({
        kind: 'uncovered',
        key: `${goods.client_id} ${goods.barcode ?? goods.name ?? goods.deadline}`,
        deadline: goods.deadline,
        body: <UncoveredCard goods={goods} />,
      }),
    ),
    ...today.cabinets.items.map(
      (cabinet): Card => ({
        kind: 'cabinet',
        key: cabinet.cabinet_id,
        deadline: null,
        body: <CabinetCard cabinet={cabinet} reload={reload} />,
      }),
    ),
    ...today.webhooks.items.map(
      (webhook): Card => ({
        kind: 'webhook',
        key: webhook.webhook_id,
        deadline: null,
        body: <WebhookCard webhook={webhook} />,
      }),
    ),
  ]
}

/** A picker stands before an empty place, and a shipment can't leave. */
function MissCard({ miss }: { readonly miss: Item<Today['misses']> }) {
  return (
    <>
      <Thing href={pathOf('order', miss.order_id)} title={`${miss.name} × ${number(miss.qty)}`}>
        <strong class="problem">{miss.reason_label}</strong> · {placeWords(miss.place)} · заказ{' '}
        {miss.order_external_id}
        {miss.deadline && ` · ${untilDeadline(miss.deadline)}`} · отгрузка{' '}
        {miss.shipment_external_id} · {miss.client_name} · {moment(miss.at)}
      </Thing>
      <DecisionLinks miss={{ id: miss.miss_id, name: miss.name }} />
    </>
  )
}
