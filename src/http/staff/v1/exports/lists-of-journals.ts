import { listRemoteCommands } from '../../../../exchange/marketplaces/coordination/command-list.ts'
import { listRecordedCalls } from '../../../../exchange/marketplaces/recording/recorded-calls.ts'
import { listLetters } from '../../../../exchange/notices/letter-log.ts'
import { listAttempts } from '../../../../exchange/webhooks/attempts.ts'
import { ownerOfSubscription } from '../../../../exchange/webhooks/queries.ts'
import { actorNames } from '../../../../identity/staff/actor-names.ts'
import { listShifts } from '../../../../identity/staff/shifts.ts'
import { onePage } from '../../../../platform/db/lists/page.ts'
import type { ObjectName } from '../../../../platform/kernel/object-name.ts'
import { ownerOfCabinet } from '../../../../warehouse/clients/cabinet-queries.ts'
import { listScans } from '../../../../warehouse/receipts/scans.ts'
import { receiptOwner } from '../../../../warehouse/receipts/staff-queries.ts'
import { joinedQuery, query, text } from '../../../route/query.ts'
import { demandRole, refuseSomeWarehouses } from '../../gate.ts'
import { cabinetCallsQuery } from '../clients/cabinet-calls.ts'
import { remoteCommandsQuery } from '../clients/cabinet-sync.ts'
import { noticeLettersQuery } from '../people/notices.ts'
import { shiftPeriodOf, shiftsQuery } from '../people/shifts.ts'
import { viewerOf } from '../receipts/receipts.ts'
import {
  callJournalPage,
  callJournalQuery,
  journalScopeOf,
  receiptRequestsPage,
  receiptRequestsQuery,
  refusedReceiptsPage,
  refusedReceiptsQuery,
  staffChangesPage,
  staffChangesQuery,
} from '../service/journal-reads.ts'
import {
  codeCell,
  exportedList,
  momentCell,
  numberCell,
  ownerNamed,
  wordCell,
  yesOrNo,
} from './exported-list.ts'

/** What happened, as files. */

const changes = exportedList({
  title: 'Изменения',
  query: staffChangesQuery,
  read: ({ db, request }, filter, page) => staffChangesPage({ db, request, filter, page }),
}).withColumns([
  momentCell('Когда', ({ time }) => time),
  wordCell('Кто', (entry) => entry.actor_name ?? entry.login),
  wordCell('Что сделали', ({ title }) => title ?? 'Изменение'),
  wordCell('Товар', ({ goods }) => goods?.name),
  numberCell('Единиц', ({ goods }) => goods?.qty),
  wordCell('Как изменилось', ({ words }) => words.join('; ')),
  wordCell('Что изменилось', ({ object }) => (object as ObjectName | undefined)?.title),
  wordCell('Клиент', (entry) => entry.client_name),
  codeCell('Номер запроса', (entry) => entry.request_id),
])

const calls = exportedList({
  title: 'Вызовы API',
  query: callJournalQuery,
  read: ({ db, request }, filter, page) => callJournalPage({ db, request, filter, page }),
}).withColumns([
  momentCell('Когда', ({ time }) => time),
  wordCell('Метод', ({ method }) => method),
  wordCell('Вызов', ({ path }) => path),
  numberCell('Ответ', ({ status }) => status),
  wordCell('Ошибка', (entry) => entry.error_code),
  numberCell('Шёл, мс', (entry) => entry.duration_ms),
  wordCell('Ключ', (entry) => entry.key_name ?? (entry.key_id === null ? 'неизвестен' : 'удалён')),
  wordCell('Клиент', (entry) => entry.client_name),
  wordCell('Адрес', ({ ip }) => ip),
  codeCell('Номер запроса', (entry) => entry.request_id),
])

const requestOutcomeWords = {
  created: 'приёмка создана',
  repeated: 'повтор заявки',
  changed: 'новая версия заявки',
} as const

const receiptRequests = exportedList({
  title: 'Заявки продавцов',
  query: receiptRequestsQuery,
  read: ({ db, request }, filter, page) => receiptRequestsPage({ db, request, filter, page }),
}).withColumns([
  momentCell('Когда', ({ time }) => time),
  wordCell('Приёмка', (entry) => entry.receipt_number),
  wordCell('Клиент', (entry) => entry.client_name),
  wordCell('Кто подал', (entry) => entry.user_login ?? entry.key_name),
  wordCell('Что вышло', ({ outcome }) => requestOutcomeWords[outcome]),
  numberCell('Запись', ({ entry }) => entry),
  wordCell('Что просили', ({ body }) => JSON.stringify(body)),
])

const refusedReceipts = exportedList({
  title: 'Отказы в заявках',
  query: refusedReceiptsQuery,
  read: ({ db, request }, filter, page) => refusedReceiptsPage({ db, request, filter, page }),
}).withColumns([
  momentCell('Когда', ({ time }) => time),
  wordCell('Клиент', (entry) => entry.client_name),
  wordCell('Ключ', (entry) => entry.key_name),
  numberCell('Ответ', ({ status }) => status),
  wordCell('Ошибка', (entry) => entry.code),
  numberCell('Байт', (entry) => entry.body_bytes),
  codeCell('Номер запроса', (entry) => entry.request_id),
  wordCell('Что пришло', (entry) => entry.body_start),
])

const letterStateWords = {
  waiting: 'ждёт',
  sent: 'отправлено',
  failed: 'не удалось',
  dropped: 'стало не о чем',
} as const
const letterPaceWords = { now: 'сразу', digest: 'сводка', code: 'код для адреса' } as const

const letters = exportedList({
  title: 'Письма',
  query: noticeLettersQuery,
  read: ({ db, request }, { state }, page) => {
    demandRole(request, 'administrator')
    refuseSomeWarehouses(request)
    return listLetters(db, state, page)
  },
}).withColumns([
  momentCell('Когда', (letter) => letter.created_at),
  wordCell('Кому', ({ login }) => login ?? 'удалён'),
  wordCell('Куда', ({ channel }) => (channel === 'email' ? 'почта' : 'Telegram')),
  wordCell('Вид', ({ pace }) => letterPaceWords[pace]),
  numberCell('Уведомлений', ({ notices }) => notices),
  numberCell('Попыток', ({ attempts }) => attempts),
  wordCell('Что с ним', ({ state }) => letterStateWords[state]),
  wordCell('Почему', ({ problem }) => problem),
  momentCell('Следующая попытка', ({ state, due_at: at }) => (state === 'waiting' ? at : null)),
])

const attempts = exportedList({
  title: 'Попытки доставки',
  query: query({ webhook_id: text({ description: 'Подписка.' }) }),
  read: async (source, { webhook_id }, page) => {
    const { clientId, id } = await ownerNamed(
      source,
      ['webhook_id', webhook_id],
      ownerOfSubscription,
    )
    return listAttempts(source.db, clientId, id, page)
  },
}).withColumns([
  momentCell('Когда', ({ at }) => at),
  wordCell('Событие', (attempt) => attempt.event_type),
  numberCell('Попытка', ({ attempt }) => attempt),
  numberCell('Ответ', (attempt) => attempt.status_code),
  wordCell('Ошибка', ({ error }) => error),
  numberCell('мс', (attempt) => attempt.duration_ms),
])

const ofCabinet = query({ cabinet_id: text({ description: 'Кабинет.' }) })

const commandWords = {
  create: 'Создать отгрузку',
  fill: 'Добавить заказы',
  remove: 'Убрать заказ',
  deliver: 'Передать отгрузку',
  cancel: 'Отменить отгрузку',
  split: 'Разделить заказ',
  set_boxes: 'Назвать число коробок',
  add_boxes: 'Добавить грузоместа',
  remove_boxes: 'Удалить грузоместа',
} as const
const commandStateWords = { asked: 'ждём ответа', done: 'сделано', refused: 'отказано' } as const

const commands = exportedList({
  title: 'Поручения маркетплейсу',
  query: joinedQuery(ofCabinet, remoteCommandsQuery),
  read: async (source, { cabinet_id, shipment_id }, page) => {
    const { clientId, id } = await ownerNamed(source, ['cabinet_id', cabinet_id], ownerOfCabinet)
    return listRemoteCommands(source.db, clientId, id, page, { shipment_id })
  },
}).withColumns([
  wordCell('Поручение', ({ kind }) => commandWords[kind]),
  wordCell('Отгрузка', ({ name }) => name),
  wordCell('Итог', ({ state }) => commandStateWords[state]),
  numberCell('Заказов', (command) => command.orders_count),
  wordCell('Ответ', ({ message }) => message),
  momentCell('Поручено', (command) => command.asked_at),
  momentCell('Закончено', (command) => command.ended_at),
])

const cabinetCalls = exportedList({
  title: 'Вызовы маркетплейса',
  query: joinedQuery(ofCabinet, cabinetCallsQuery),
  read: async (source, { cabinet_id, ...filter }, page) => {
    const { clientId, id } = await ownerNamed(source, ['cabinet_id', cabinet_id], ownerOfCabinet)
    return listRecordedCalls(source.db, clientId, id, filter, page)
  },
}).withColumns([
  momentCell('Когда', ({ time }) => time),
  wordCell('Метод', ({ method }) => method),
  wordCell('Вызов', ({ path }) => path),
  numberCell('Ответ', ({ status }) => status),
  wordCell('Почему нет ответа', ({ failure }) => failure),
  numberCell('мс', (call) => call.duration_ms),
])

const receiptScans = exportedList({
  title: 'Сканы приёмки',
  query: query({ receipt_id: text({ description: 'Приёмка.' }) }),
  read: async (source, { receipt_id }, page) => {
    const { clientId, id } = await ownerNamed(source, ['receipt_id', receipt_id], (db, of) =>
      receiptOwner(db, of, viewerOf(source.request)),
    )
    const found = await listScans(source.db, clientId, id, page)
    const nameOf = await actorNames(
      source.db,
      found.items.map((scan) => scan.scanned_by),
    )
    const items = found.items.map((scan) => ({ ...scan, who: nameOf(scan.scanned_by) }))
    return { ...found, items }
  },
}).withColumns([
  momentCell('Когда', (scan) => scan.scanned_at),
  wordCell('Штрихкод', ({ barcode }) => barcode),
  wordCell('Товар', ({ name }) => name),
  numberCell('Единиц', ({ qty }) => qty),
  wordCell('Кто', ({ who }) => who),
  wordCell('Отменён', ({ undone }) => yesOrNo(undone)),
])

const shifts = exportedList({
  title: 'Смены',
  query: shiftsQuery,
  read: async ({ db, request, now }, asked) =>
    onePage(await listShifts(db, shiftPeriodOf(asked, now), journalScopeOf(request))),
}).withColumns([
  wordCell('Сотрудник', ({ name }) => name),
  wordCell('Логин', ({ login }) => login),
  momentCell('Начал', (shift) => shift.first_at),
  momentCell('Закончил', (shift) => shift.last_at),
  numberCell('Приёмок', ({ receipts }) => receipts),
  numberCell('Принял единиц', (shift) => shift.scanned_units),
  numberCell('Собрал единиц', ({ picks }) => picks),
  numberCell('Часов сборки', (shift) => shift.picking_hours),
  numberCell('Проверил единиц', ({ checks }) => checks),
  numberCell('Не нашёл', ({ misses }) => misses),
  numberCell('Сканов пересчёта', ({ counts }) => counts),
  numberCell('Сканов возвратов', ({ returns }) => returns),
  numberCell('Отгрузок', ({ shipments }) => shipments),
  numberCell('Отмен', (shift) => shift.undone_scans + shift.undone_picks),
])

export const listsOfJournals = {
  ...{ changes, calls, letters, attempts, commands, shifts },
  'receipt-requests': receiptRequests,
  'refused-receipts': refusedReceipts,
  'cabinet-calls': cabinetCalls,
  'receipt-scans': receiptScans,
}
