import { listStations } from '../../../../documents/printing/queries.ts'
import { listApiKeys } from '../../../../identity/keys/api-keys.ts'
import { listDevices } from '../../../../identity/staff/devices.ts'
import { roleLabels } from '../../../../identity/staff/roles.ts'
import { listUsers, type StaffUser } from '../../../../identity/staff/users.ts'
import { listCharges } from '../../../../warehouse/billing/charges.ts'
import { listActs } from '../../../../warehouse/billing/periods.ts'
import { listCabinetsOfAll } from '../../../../warehouse/clients/cabinet-queries.ts'
import { listClients } from '../../../../warehouse/clients/clients.ts'
import { listWarehouses } from '../../../../warehouse/clients/warehouses.ts'
import { listReasons } from '../../../../warehouse/stock/reasons.ts'
import { chargeCells, chargeColumns } from '../../../files/charges-table.ts'
import { joinedQuery, query, text } from '../../../route/query.ts'
import { demandMoney, ownScope, withinWarehouse } from '../../gate.ts'
import { chargesQuery } from '../billing/charges.ts'
import { cabinetsOfAllQuery } from '../clients/cabinet-sync.ts'
import { clientInPath, clientsQuery } from '../clients/clients.ts'
import { printStationsQuery } from '../papers/print-stations.ts'
import { devicesQuery } from '../people/devices.ts'
import { usersQuery } from '../people/users.ts'
import { reasonsQuery } from '../service/reasons.ts'
import { valueWords } from '../service/value-words.ts'
import {
  clientCell,
  codeCell,
  type ExportSource,
  exportedList,
  momentCell,
  moneyCell,
  numberCell,
  ownerNamed,
  wordCell,
  yesOrNo,
} from './exported-list.ts'

/** Whom and what the warehouse knows, as files. */

const ofClient = query({
  client_id: text({ description: 'Клиент; нужен спискам одного клиента.' }),
})

function clientNamed(source: ExportSource, id: string | undefined) {
  return ownerNamed(source, ['client_id', id], clientInPath)
}

const clients = exportedList({
  title: 'Клиенты',
  query: clientsQuery,
  read: ({ db, request }, { search }, page) =>
    listClients(db, search, page, ownScope(request).warehouses),
}).withColumns([
  wordCell('Клиент', ({ name }) => name),
  codeCell('ИНН', ({ inn }) => inn),
  codeCell('Склад', (each) => each.warehouse_code),
  momentCell('Заведён', (each) => each.created_at),
])

const cabinets = exportedList({
  title: 'Кабинеты',
  query: cabinetsOfAllQuery,
  read: ({ db, request }, asked, page) =>
    listCabinetsOfAll(db, withinWarehouse(request, asked), page),
}).withColumns([
  clientCell(),
  wordCell('Кабинет', ({ name }) => name),
  wordCell('Маркетплейс', ({ marketplace }) => marketplace),
  wordCell('Ключи', (cabinet) => valueWords.credentials_state?.[cabinet.credentials_state]),
  momentCell('Синхронизация', (cabinet) => cabinet.synced_at),
  wordCell('Отгрузки', (cabinet) => valueWords.shipments?.[cabinet.shipments]),
])

const keys = exportedList({
  title: 'Ключи API',
  query: ofClient,
  read: async (source, { client_id }, page) => {
    const { clientId } = await clientNamed(source, client_id)
    return listApiKeys(source.db, clientId, page)
  },
}).withColumns([
  wordCell('Ключ', ({ name }) => name),
  wordCell('Начало и конец', ({ preview }) => preview),
  wordCell('Заявки', (key) => yesOrNo(key.receipts_enabled)),
  momentCell('Выпущен', (key) => key.created_at),
  momentCell('Запрос', (key) => key.last_used_at),
  momentCell('Отозван', (key) => key.revoked_at),
])

const charges = exportedList({
  title: 'Начисления',
  query: joinedQuery(ofClient, chargesQuery),
  read: async (source, { client_id, ...asked }, page) => {
    demandMoney(source.request)
    const { clientId } = await clientNamed(source, client_id)
    return listCharges(source.db, clientId, asked, page)
  },
}).withColumns(
  chargeColumns.map((column, place) => ({ ...column, of: (charge) => chargeCells(charge)[place] })),
)

const acts = exportedList({
  title: 'Акты',
  query: ofClient,
  read: async (source, { client_id }, page) => {
    demandMoney(source.request)
    const { clientId } = await clientNamed(source, client_id)
    return listActs(source.db, clientId, page)
  },
}).withColumns([
  numberCell('Номер', (act) => act.number),
  codeCell('Месяц', ({ period }) => period.slice(0, 7)),
  codeCell('Дата', ({ day }) => day),
  moneyCell('Начислено, руб.', ({ amount }) => Number(amount)),
  moneyCell('НДС, руб.', ({ vat }) => Number(vat)),
  moneyCell('К оплате, руб.', ({ total }) => Number(total)),
])

function waysIn({ has_password: password, has_pin: pin }: StaffUser): string {
  const ways = [password && 'по паролю', pin && 'по PIN'].filter(Boolean)
  return ways.join(', ') || 'только по токену'
}

const users = exportedList({
  title: 'Пользователи',
  query: usersQuery,
  read: ({ db, request }, _, page) => listUsers(db, page, ownScope(request).warehouses),
}).withColumns([
  wordCell('Имя', ({ name }) => name),
  wordCell('Логин', ({ login }) => login),
  wordCell('Роль', ({ role }) => roleLabels[role]),
  wordCell('Состояние', ({ active }) => (active ? 'работает' : 'выключен')),
  wordCell('Склады', ({ warehouses }) => warehouses.join(', ') || 'все'),
  wordCell('Входит', waysIn),
  momentCell('Заведён', (user) => user.created_at),
])

const devices = exportedList({
  title: 'Терминалы',
  query: devicesQuery,
  read: ({ db, request }, asked, page) =>
    listDevices(db, asked, page, ownScope(request).warehouses),
}).withColumns([
  wordCell('Название', ({ name }) => name),
  wordCell('Что это', ({ purpose }) => valueWords.purpose?.[purpose]),
  codeCell('Склад', (device) => device.warehouse_code),
  wordCell('Состояние', ({ status }) => deviceStatusWords[status]),
  momentCell('Им пользовались', (device) => device.last_used_at),
  wordCell('Кто входил', (device) => device.last_name),
])
const deviceStatusWords = {
  WAITING: 'ждёт кода',
  ENROLLED: 'работает',
  REVOKED: 'отозван',
} as const

const printStations = exportedList({
  title: 'Станции печати',
  query: printStationsQuery,
  read: ({ db, request }, asked, page) =>
    listStations(db, { ...asked, ...ownScope(request) }, page),
}).withColumns([
  wordCell('Станция', ({ name }) => name),
  codeCell('Склад', (station) => station.warehouse_code),
  wordCell('Печатает', ({ formats }) =>
    formats.map((format) => valueWords.formats?.[format] ?? format).join(', '),
  ),
  wordCell('Состояние', ({ active }) => (active ? 'открыта' : 'закрыта')),
  numberCell('Ждёт заданий', ({ waiting }) => waiting),
  momentCell('Была на связи', (station) => station.seen_at),
])

const warehouses = exportedList({
  title: 'Склады',
  query: query({}),
  read: ({ db, request }, _, page) => listWarehouses(db, page, ownScope(request).warehouses),
}).withColumns([
  codeCell('Код', (warehouse) => warehouse.code),
  wordCell('Название', ({ name }) => name),
  wordCell('Заявки продавцов', (warehouse) =>
    warehouse.intake_open ? 'принимает' : 'не принимает',
  ),
  momentCell('Заведён', (warehouse) => warehouse.created_at),
])

const reasons = exportedList({
  title: 'Причины',
  query: reasonsQuery,
  read: ({ db }, asked, page) => listReasons(db, asked, page),
}).withColumns([
  wordCell('Причина', ({ label }) => label),
  wordCell('Для чего', ({ kind }) => valueWords.kind?.[kind]),
  codeCell('Код', (reason) => reason.code),
])

export const listsOfSettings = {
  ...{ clients, cabinets, keys, charges, acts, users, devices, warehouses, reasons },
  'print-stations': printStations,
}
