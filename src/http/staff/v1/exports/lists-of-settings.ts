import { listStations } from '../../../../documents/printing/queries.ts'
import { listDevices } from '../../../../identity/staff/devices.ts'
import { roleLabels } from '../../../../identity/staff/roles.ts'
import { listUsers, type StaffUser } from '../../../../identity/staff/users.ts'
import { listCabinetsOfAll } from '../../../../warehouse/clients/cabinet-queries.ts'
import { listClients } from '../../../../warehouse/clients/clients.ts'
import { listWarehouses } from '../../../../warehouse/clients/warehouses.ts'
import { listReasons } from '../../../../warehouse/stock/reasons.ts'
import { query } from '../../../route/query.ts'
import { ownScope, withinWarehouse } from '../../gate.ts'
import { cabinetsOfAllQuery } from '../clients/cabinet-sync.ts'
import { clientsQuery } from '../clients/clients.ts'
import { printStationsQuery } from '../papers/print-stations.ts'
import { devicesQuery } from '../people/devices.ts'
import { usersQuery } from '../people/users.ts'
import { reasonsQuery } from '../service/reasons.ts'
import { valueWords } from '../service/value-words.ts'
import {
  clientCell,
  codeCell,
  exportedList,
  momentCell,
  numberCell,
  wordCell,
} from './exported-list.ts'

/** Whom and what the warehouse knows, as files. */

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
  ...{ clients, cabinets, users, devices, warehouses, reasons },
  'print-stations': printStations,
}
