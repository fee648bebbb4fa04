import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { deviceLabelPage } from '../../../../documents/labels/code-label.ts'
import { qrPicture } from '../../../../documents/labels/page.ts'
import { labelsPdf } from '../../../../documents/labels/pdf.ts'
import { countCodeAttempt, forgive } from '../../../../identity/sign-in/failures.ts'
import {
  addDevice,
  type DeviceDraft,
  deviceOfCode,
  devicePurposeRule,
  devicePurposes,
  deviceStatuses,
  type EnrolledDevice,
  enrolDevice,
  findDevice,
  listDevices,
  revokeDevice,
  StaffDevice,
  spelledCode,
  unattendedPurposes,
  wrongCode,
} from '../../../../identity/staff/devices.ts'
import { findUnattended } from '../../../../identity/staff/unattended.ts'
import type { Database } from '../../../../platform/db/connection.ts'
import { invalidField } from '../../../../platform/kernel/errors.ts'
import { isId } from '../../../../platform/kernel/ids.ts'
import { toTimestamp } from '../../../../platform/kernel/moscow-time.ts'
import { named, oneOfValues } from '../../../../platform/kernel/schema.ts'
import { findWarehouse } from '../../../../warehouse/clients/warehouses.ts'
import { releaseClaimsOf } from '../../../../warehouse/picking/claims.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { oneOf, query, shortPages } from '../../../route/query.ts'
import { bodyOf, change, changeOpenly } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import {
  ownScope,
  refuseOtherWarehouse,
  setTerminal,
  setUnattended,
  unattendedOf,
} from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

export const StaffDeviceDraft = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      examples: ['Терминал 3, приёмка'],
      description: 'Название: по нему терминал узнают на складе.',
    }),
    purpose: Type.Optional(
      oneOfValues(devicePurposes, `${devicePurposeRule} Без него — HANDHELD.`),
    ),
    warehouse_code: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Склад, где стоит станция или экран: обязателен для них, терминалу не нужен.',
        examples: ['MSK1'],
      }),
    ),
  },
  { $id: 'StaffDeviceDraft', additionalProperties: false, description: 'Новый терминал.' },
)
export const IssuedStaffDevice = Type.Object(
  {
    ...StaffDevice.properties,
    code: Type.String({
      description: 'Код регистрации: показывается один раз, действует один раз и 15 минут.',
    }),
    qr: Type.String({
      description: 'Он же QR-кодом для сканера терминала: картинка SVG.',
    }),
  },
  { $id: 'IssuedStaffDevice', description: 'Терминал, который ждёт регистрации.' },
)
export const EnrolmentDraft = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 64, description: 'Код, который дал менеджер.' }),
  },
  { $id: 'EnrolmentDraft', additionalProperties: false, description: 'Регистрация терминала.' },
)
export const DeviceHere = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор устройства.' }),
    name: Type.String({ description: 'Его название.' }),
    purpose: oneOfValues(unattendedPurposes, 'STATION — станция печати, SCREEN — экран на стене.'),
    warehouse_code: Type.String({ description: 'Склад, где оно стоит.' }),
  },
  { $id: 'DeviceHere', description: 'Устройство, которое работает без входа.' },
)
export const StaffDevicePage = pageSchema(StaffDevice, 'StaffDevicePage', 'Страница терминалов.')

export const devicesQuery = query({
  status: oneOf(deviceStatuses, { description: 'Состояние; без него — все.' }),
  purpose: oneOf(devicePurposes, { description: `${devicePurposeRule} Без него — все.` }),
  ...shortPages,
})
const config = { role: 'manager' } as const
const changeConfig = { ...config, asksPassword: true } as const

export function addDevices(app: FastifyInstance, dependencies: StaffDependencies): void {
  addDeviceList(app, dependencies)
  addDeviceMaking(app, dependencies)
  addEnrolmentLabel(app, dependencies)
  addEnrolment(app, dependencies)
  addOwnDevice(app, dependencies)
  addRevoking(app, dependencies)
}

function addDeviceList(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listDevices',
    tag: 'Вход',
    summary: 'Терминалы',
    description:
      'Новые первыми, с последним входом. Кто работает не на всех складах, видит терминалы, на которых последним ' +
      'входил сотрудник его складов, а пока никто не входил — заведённые ими.',
    query: devicesQuery,
    answers: { 200: { description: 'Страница.', schema: named(StaffDevicePage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/devices', { schema, config }, async (request) => {
    const { limit, cursor, ...filter } = devicesQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'devices', { limit, cursor }, filter)
    return list.answer(await listDevices(db, filter, list.request, ownScope(request).warehouses))
  })
}

function addDeviceMaking(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'createDevice',
    tag: 'Вход',
    summary: 'Завести терминал',
    description:
      'Выдаёт код: введите его на терминале в течение 15 минут, и на нём смогут входить по PIN. Станция печати и экран на ' +
      'стене после кода работают без входа и только на своём складе: станция печатает, экран показывает путь заказов.',
    body: StaffDeviceDraft,
    answers: { 201: { description: 'Ждёт регистрации.', schema: named(IssuedStaffDevice) } },
    errors: ['password_required', 'bad_request', 'validation_error'],
  })
  app.post('/devices', { schema, config: changeConfig }, async (request, reply) => {
    const draft = await draftOf(dependencies.db, request)
    const device = await change(dependencies, request, {}, async (work) => {
      const { id, code } = await addDevice(work, draft)
      const after = found(await findDevice(work.tx, id))
      return { answer: { ...after, code }, made: { objectId: id, after } }
    })
    return reply.code(201).send({ ...device, qr: await qrPicture(device.code) })
  })
}

/** Throws validation_error, and forbidden for a warehouse that is not the member's. */
async function draftOf(db: Database, request: FastifyRequest): Promise<DeviceDraft> {
  const { name, purpose = 'HANDHELD', warehouse_code: code } = bodyOf(StaffDeviceDraft, request)
  if (purpose === 'HANDHELD') {
    if (code === undefined) return { name, purpose, warehouse: null }
    throw invalidField('warehouse_code', 'терминал работает на любом складе: уберите это поле')
  }
  if (code === undefined)
    throw invalidField('warehouse_code', 'укажите склад, где стоит устройство')
  refuseOtherWarehouse(request, code)
  const warehouse = await findWarehouse(db, code)
  if (warehouse === undefined) throw invalidField('warehouse_code', 'такого склада нет')
  return { name, purpose, warehouse: code }
}

function addEnrolmentLabel(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'printDeviceLabel',
    tag: 'Вход',
    summary: 'Этикетка с кодом терминала',
    description:
      'Название, код регистрации буквами и QR, который терминал читает своим сканером. Код хранится только хешем, ' +
      'поэтому его присылают; пока он действует. Ничего не меняет. Масштаб при печати — 100 %.',
    params: { id: 'Идентификатор терминала.' },
    body: EnrolmentDraft,
    answers: {
      200: {
        description: 'PDF, страница 58 × 40 мм.',
        media: { 'application/pdf': Type.String({ format: 'binary' }) },
      },
    },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.post<{ Params: { id: string } }>(
    '/devices/:id/label',
    { schema, config },
    async (request, reply) => {
      const { code } = bodyOf(EnrolmentDraft, request)
      const { id } = request.params
      found(isId(id) ? await findDevice(db, id) : undefined)
      const now = clock.now()
      const device = await deviceOfCode(db, { id, code, at: toTimestamp(now) })
      if (device === undefined) {
        const rule = 'не код этого терминала, уже использован или устарел: заведите терминал заново'
        throw invalidField('code', rule)
      }
      const until = device.code_expires_at.slice(11, 16)
      const label = { name: device.name, code: spelledCode(code), until }
      const pdf = await labelsPdf([() => deviceLabelPage(label)], 'Код терминала', new Date(now))
      return reply.type('application/pdf').send(pdf)
    },
  )
}

function addEnrolment(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, clock } = dependencies
  const schema = staffOperation({
    id: 'enrolDevice',
    tag: 'Вход',
    summary: 'Зарегистрировать терминал',
    description:
      'Вызывает сам терминал: код менеджера ставит ему cookie (HttpOnly, SameSite=Strict). После ' +
      'нескольких неверных кодов каждая следующая попытка с этого адреса ждёт дольше.',
    open: true,
    body: EnrolmentDraft,
    answers: { 200: { description: 'Зарегистрирован.', schema: named(StaffDevice) } },
    errors: ['bad_request', 'validation_error', 'unauthorized', 'forbidden', 'rate_limited'],
    messages: { unauthorized: wrongCode },
  })
  app.post('/devices/enrol', { schema, config: { open: true } }, async (request, reply) => {
    const { code } = bodyOf(EnrolmentDraft, request)
    const attempt = await countCodeAttempt(db, clock.now(), 'code of a device', request.ip)
    let enrolled: EnrolledDevice | undefined
    await changeOpenly(dependencies, request, async (work) => {
      enrolled = await enrolDevice(work, code)
      await forgive(work.tx, attempt)
      return { objectId: enrolled.id, after: await findDevice(work.tx, enrolled.id) }
    })
    const { id, purpose, secret } = found(enrolled)
    const set = purpose === 'HANDHELD' ? setTerminal : setUnattended
    set(reply, dependencies, secret)
    return found(await findDevice(db, id))
  })
}

function addOwnDevice(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getDeviceHere',
    tag: 'Вход',
    summary: 'Какое это устройство',
    description:
      'Спрашивает страница станции печати или экрана на стене: 204 — здесь его не регистрировали.',
    open: true,
    answers: {
      200: { description: 'Устройство.', schema: named(DeviceHere) },
      204: { description: 'Это не станция и не экран.' },
    },
    errors: ['device_revoked'],
  })
  app.get('/device', { schema, config: { open: true } }, async (request, reply) => {
    const secret = unattendedOf(request)
    const device = secret === undefined ? undefined : await findUnattended(db, secret)
    return device ?? reply.code(204).send()
  })
}

function addRevoking(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'revokeDevice',
    tag: 'Вход',
    summary: 'Отозвать терминал',
    description:
      'Входы на нём кончаются сразу, взятые на нём задания освобождаются, новых входов не будет; ' +
      'повтор ничего не меняет.',
    params: { id: 'Идентификатор терминала.' },
    answers: { 200: { description: 'Отозван.', schema: named(StaffDevice) } },
    errors: ['password_required', 'not_found'],
  })
  app.post<{ Params: { id: string } }>(
    '/devices/:id/revoke',
    { schema, config: changeConfig },
    async (request) => {
      const id = found(isId(request.params.id) ? request.params.id : undefined)
      const look = ({ tx }: { tx: Parameters<typeof findDevice>[0] }) => findDevice(tx, id)
      return change(dependencies, request, { objectId: id, look }, async (work) => {
        const users = await revokeDevice(work, id)
        for (const user of users ?? []) await releaseClaimsOf(work, user)
        return { answer: found(await findDevice(work.tx, id)), changed: users !== undefined }
      })
    },
  )
}
