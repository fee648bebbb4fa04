import type { Work } from '../../platform/db/work.ts'
import { recordSync, recordSyncFailure } from '../../warehouse/clients/cabinets.ts'
import type { Requester } from '../../warehouse/journal/receipt-journal.ts'
import { refuseMark } from './marks.ts'
import {
  cancelOrder,
  deliverOrder,
  newOrder,
  newOrderWithoutBarcode,
  reportUnknownStatus,
} from './orders.ts'
import { complete, completeShort, confirm } from './receipts.ts'
import { openScene, type Scene, type Touched } from './scene.ts'
import { acceptAtMarketplace, handOverOpen } from './shipments.ts'
import { emptyStock, putGoodsInQuestion } from './stock.ts'

/**
 * Triggers: each brings about one situation in a sandbox at once, through the verbs of live work and
 * with their events. Each may be repeated any number of times: where the copy has nothing left to do it
 * with, the trigger makes what it needs.
 */
interface Trigger {
  readonly play: (scene: Scene) => Promise<Touched[]>
  /** What it does, in Russian, for the API reference. */
  readonly does: string
  /** What it has done, in Russian. */
  readonly done: string
  /** Types of events that come of it every time; what it has to make first has events of its own. */
  readonly events: readonly string[]
}

const triggers = {
  receipt_confirmed: {
    play: confirm,
    does: 'Менеджер подтверждает заявку на приёмку.',
    done: 'Заявка подтверждена',
    events: ['receipt.confirmed'],
  },
  receipt_completed: {
    play: complete,
    does: 'Приёмка посчитана: принято всё, что заявлено.',
    done: 'Приёмка завершена без расхождений',
    events: ['receipt.completed'],
  },
  receipt_with_shortage: {
    play: completeShort,
    does: 'Приёмка посчитана: одной единицы не хватает.',
    done: 'Приёмка завершена, одной единицы не хватает',
    events: ['receipt.completed'],
  },
  order_new: {
    play: newOrder,
    does: 'В кабинете WB появляется заказ.',
    done: 'Заказ появился',
    events: [],
  },
  order_cancelled: {
    play: cancelOrder,
    does: 'Покупатель отменяет заказ, который ещё не передан.',
    done: 'Заказ отменён',
    events: ['order.status_changed'],
  },
  order_delivered: {
    play: deliverOrder,
    does: 'Покупатель получает заказ.',
    done: 'Заказ получен покупателем',
    events: ['order.status_changed'],
  },
  mark_refused: {
    play: refuseMark,
    does: 'WB не принимает код маркировки собранной единицы: `packed_at` заказа снова `null`, пока склад не соберёт другую единицу.',
    done: 'WB не принял код маркировки, заказ ждёт другую единицу',
    events: [],
  },
  shipment_handed_over: {
    play: handOverOpen,
    does: 'Склад собирает открытую отгрузку WB и передаёт её маркетплейсу.',
    done: 'Отгрузка передана маркетплейсу',
    events: ['shipment.status_changed', 'order.status_changed'],
  },
  shipment_accepted: {
    play: acceptAtMarketplace,
    does: 'Маркетплейс принимает переданную отгрузку WB.',
    done: 'Отгрузка принята маркетплейсом',
    events: ['shipment.status_changed'],
  },
  goods_in_question: {
    play: putGoodsInQuestion,
    does: 'Единица товара попадает под вопрос: `in_question` растёт.',
    done: 'Единица товара под вопросом',
    events: [],
  },
  sync_error: {
    play: failSync,
    does: 'Кабинет WB перестаёт отвечать: у него появляется `sync_error`, робот его не трогает.',
    done: 'Кабинет WB не отвечает, вернуть его: sync_restored',
    events: [],
  },
  sync_restored: {
    play: restoreSync,
    does: 'Кабинеты, которые не отвечали, отвечают снова.',
    done: 'Кабинеты отвечают',
    events: [],
  },
  unknown_status: {
    play: reportUnknownStatus,
    does: 'Маркетплейс присылает неизвестный статус: заказ становится `OTHER`.',
    done: 'Заказ в незнакомом статусе',
    events: ['order.status_changed'],
  },
  goods_without_barcode: {
    play: newOrderWithoutBarcode,
    does: 'В кабинете WB появляется заказ, у товара которого нет штрихкода.',
    done: 'Появился заказ без штрихкода',
    events: [],
  },
  empty_stock: {
    play: emptyStock,
    does: 'Товар на складе кончается: `quantity` становится 0.',
    done: 'Товар кончился',
    events: [],
  },
} as const satisfies Readonly<Record<string, Trigger>>

export type TriggerName = keyof typeof triggers
export const triggerNames = Object.keys(triggers) as TriggerName[]

/** For the API reference. */
export function describeTriggers(): readonly ({ readonly name: TriggerName } & Trigger)[] {
  return triggerNames.map((name) => ({ name, ...triggers[name] }))
}

export interface PlayedTrigger {
  readonly trigger: TriggerName
  readonly touched: readonly Touched[]
  readonly message: string
}

/** Plays a trigger in the transaction of `work`, which holds the sandbox. */
export async function playTrigger(
  work: Work,
  requester: Requester,
  trigger: TriggerName,
): Promise<PlayedTrigger> {
  const { play, done } = triggers[trigger]
  const scene = await openScene(work, requester)
  const touched = [...(await play(scene)), ...scene.made]
  const byId = new Map(touched.map((each) => [each.id, each]))
  return { trigger, touched: [...byId.values()], message: done }
}

const refusal =
  'WB не принял ключ доступа: выпустите новый в кабинете продавца и передайте менеджеру склада'

/** The WB cabinet stops answering. The robot leaves it alone until its sync succeeds again. */
export async function failSync({ work, clientId, cabinetId }: Scene): Promise<Touched[]> {
  await recordSyncFailure(work, clientId, cabinetId, refusal)
  return [{ object: 'cabinet', id: cabinetId }]
}

/** Every cabinet that fails answers again; the WB cabinet is synced where none fails. */
export async function restoreSync({ work, clientId, cabinetId }: Scene): Promise<Touched[]> {
  const failing = await work.tx<{ id: string }[]>`
    select id from cabinets where client_id = ${clientId} and sync_error is not null order by id`
  const restored = failing.length > 0 ? failing : [{ id: cabinetId }]
  for (const { id } of restored) await recordSync(work, clientId, id)
  return restored.map(({ id }) => ({ object: 'cabinet', id }))
}
