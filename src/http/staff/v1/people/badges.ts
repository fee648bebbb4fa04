import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { badgeLabelPage } from '../../../../documents/labels/code-label.ts'
import { labelsPdf } from '../../../../documents/labels/pdf.ts'
import {
  blockBadge,
  holderOfBadge,
  issueBadge,
  unknownBadge,
} from '../../../../identity/staff/badges.ts'
import { findUser, StaffUser } from '../../../../identity/staff/users.ts'
import { isId } from '../../../../platform/kernel/ids.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { found } from '../../../route/list.ts'
import { bodyOf } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { terminalOf } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { changeUserAs, userSubject } from './users.ts'

export const BadgeDraft = Type.Object(
  {
    badge: Type.String({ minLength: 1, maxLength: 64, description: 'Код с бейджа.' }),
  },
  { $id: 'BadgeDraft', additionalProperties: false, description: 'Отсканированный бейдж.' },
)
export const BadgeHolder = Type.Object(
  {
    login: Type.String({ description: 'Логин: с ним и PIN вызовите signInByPin.' }),
    name: Type.String({ description: 'Имя.' }),
  },
  { $id: 'BadgeHolder', description: 'Чей это бейдж.' },
)

type IdParams = { Params: { id: string } }
const params = { id: 'Идентификатор пользователя.' }

export function addBadges(app: FastifyInstance, dependencies: StaffDependencies): void {
  addIssue(app, dependencies)
  addBlocking(app, dependencies)
  addHolder(app, dependencies)
}

function addIssue(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'printBadge',
    tag: 'Вход',
    summary: 'Напечатать бейдж',
    description:
      'Выдаёт новый бейдж и сразу перестаёт принимать прежний. Код хранится только хешем, поэтому напечатать тот же ещё ' +
      'раз нельзя. Сам по себе бейдж не входит: нужен ещё PIN. Масштаб при печати — 100 %.',
    params,
    answers: {
      200: {
        description: 'PDF, страница 58 × 40 мм.',
        media: { 'application/pdf': Type.String({ format: 'binary' }) },
      },
    },
    errors: ['password_required', 'not_found'],
  })
  const config = { role: 'manager', asksPassword: true } as const
  app.post<IdParams>('/users/:id/badge', { schema, config }, async (request, reply) => {
    const id = found(isId(request.params.id) ? request.params.id : undefined)
    const badge = await changeUserAs(dependencies, request, userSubject(id), async (work) => {
      const code = await issueBadge(work, id)
      return { answer: { code, name: found(await findUser(work.tx, id)).name } }
    })
    const now = new Date(dependencies.clock.now())
    const pdf = await labelsPdf([() => badgeLabelPage(badge)], `Бейдж: ${badge.name}`, now)
    return reply.type('application/pdf').send(pdf)
  })
}

function addBlocking(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'blockBadge',
    tag: 'Вход',
    summary: 'Заблокировать бейдж',
    description: 'Потерянный бейдж перестаёт действовать сразу; повтор ничего не меняет.',
    params,
    answers: { 200: { description: 'Бейджа нет.', schema: named(StaffUser) } },
    errors: ['not_found'],
  })
  const config = { role: 'manager' } as const
  app.delete<IdParams>('/users/:id/badge', { schema, config }, async (request) => {
    const id = found(isId(request.params.id) ? request.params.id : undefined)
    return changeUserAs(dependencies, request, userSubject(id), async (work) => {
      const changed = await blockBadge(work, id)
      return { answer: found(await findUser(work.tx, id)), changed }
    })
  })
}

function addHolder(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'readBadge',
    tag: 'Вход',
    summary: 'Чей это бейдж',
    description:
      'Спрашивает зарегистрированный терминал, прежде чем попросить PIN. Никого не впускает. Много неверных бейджей на ' +
      'одном терминале — 429.',
    open: true,
    body: BadgeDraft,
    answers: { 200: { description: 'Кто это.', schema: named(BadgeHolder) } },
    errors: [
      'bad_request',
      'validation_error',
      'unauthorized',
      'device_revoked',
      'forbidden',
      'rate_limited',
    ],
    messages: { unauthorized: unknownBadge },
  })
  app.post('/session/badge', { schema, config: { open: true } }, (request) => {
    const { badge } = bodyOf(BadgeDraft, request)
    return holderOfBadge(db, clock.now(), { secret: terminalOf(request), badge })
  })
}
