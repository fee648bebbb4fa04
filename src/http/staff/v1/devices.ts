import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { isId } from '../../../kernel/ids.ts'
import { named } from '../../../kernel/schema.ts'
import { releaseClaimsOf } from '../../../picking/claims.ts'
import {
  addDevice,
  deviceStatuses,
  type EnrolledDevice,
  enrolDevice,
  findDevice,
  listDevices,
  revokeDevice,
  StaffDevice,
  wrongCode,
} from '../../../staff/devices.ts'
import { countCodeAttempt, forgive } from '../../../staff/sign-in-failures.ts'
import { found, openList, pageSchema, rawQuery } from '../../list.ts'
import { cursorText, limit, oneOf, query } from '../../query.ts'
import { bodyOf, change, changeOpenly } from '../change.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { setTerminal } from '../gate.ts'
import { staffOperation } from '../operation.ts'

export const StaffDeviceDraft = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      examples: ['Терминал 3, приёмка'],
      description: 'Название: по нему терминал узнают на складе.',
    }),
  },
  { $id: 'StaffDeviceDraft', additionalProperties: false, description: 'Новый терминал.' },
)
export const IssuedStaffDevice = Type.Object(
  {
    ...StaffDevice.properties,
    code: Type.String({
      description: 'Код регистрации: показывается один раз, действует один раз и 15 минут.',
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
export const StaffDevicePage = pageSchema(StaffDevice, 'StaffDevicePage', 'Страница терминалов.')

const devicesQuery = query({
  status: oneOf(deviceStatuses, { description: 'Состояние; без него — все.' }),
  limit: limit({ default: 50, max: 200 }),
  cursor: cursorText(),
})
const config = { role: 'manager' } as const

export function addDevices(app: FastifyInstance, dependencies: StaffDependencies): void {
  addDeviceList(app, dependencies)
  addDeviceMaking(app, dependencies)
  addEnrolment(app, dependencies)
  addRevoking(app, dependencies)
}

function addDeviceList(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listDevices',
    tag: 'Вход',
    summary: 'Терминалы',
    description: 'Все терминалы, новые первыми, с последним входом.',
    query: devicesQuery,
    answers: { 200: { description: 'Страница.', schema: named(StaffDevicePage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/devices', { schema, config }, async (request) => {
    const { limit, cursor, ...filter } = devicesQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'devices', { limit, cursor }, filter)
    return list.answer(await listDevices(db, filter, list.request))
  })
}

function addDeviceMaking(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'createDevice',
    tag: 'Вход',
    summary: 'Завести терминал',
    description:
      'Выдаёт код: введите его на терминале в течение 15 минут, и на нём смогут входить по PIN.',
    body: StaffDeviceDraft,
    answers: { 201: { description: 'Ждёт регистрации.', schema: named(IssuedStaffDevice) } },
    errors: ['bad_request', 'validation_error'],
  })
  app.post('/devices', { schema, config }, async (request, reply) => {
    const { name } = bodyOf(StaffDeviceDraft, request)
    const device = await change(dependencies, request, {}, async (work) => {
      const { id, code } = await addDevice(work, name)
      const after = found(await findDevice(work.tx, id))
      return { answer: { ...after, code }, made: { objectId: id, after } }
    })
    return reply.code(201).send(device)
  })
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
    const attempt = await countCodeAttempt(db, clock.now(), request.ip)
    let enrolled: EnrolledDevice | undefined
    await changeOpenly(dependencies, request, async (work) => {
      enrolled = await enrolDevice(work, code)
      await forgive(work.tx, attempt)
      return { objectId: enrolled.id, after: await findDevice(work.tx, enrolled.id) }
    })
    const { id, secret } = found(enrolled)
    setTerminal(reply, dependencies, secret)
    return found(await findDevice(db, id))
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
    errors: ['not_found'],
  })
  app.post<{ Params: { id: string } }>(
    '/devices/:id/revoke',
    { schema, config },
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
