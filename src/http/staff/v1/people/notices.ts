import type { FastifyInstance } from 'fastify'
import { listLetters, NoticeLetter } from '../../../../exchange/notices/letter-log.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { addNoticeRoutes } from '../../../route/notices.ts'
import { oneOf, query, shortPages } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { memberOn, refuseSomeWarehouses } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

export const noticeLettersQuery = query({
  state: oneOf(['waiting', 'sent', 'failed', 'dropped'], { description: 'Что с ними стало.' }),
  ...shortPages,
})
export const NoticeLetterPage = pageSchema(NoticeLetter, 'NoticeLetterPage', 'Страница писем.')

/** What the user was notified of all clients, and the user's settings; the log of letters to everybody. */
export function addStaffNotices(app: FastifyInstance, dependencies: StaffDependencies): void {
  addNoticeRoutes({
    app,
    db: dependencies.db,
    ways: dependencies.noticeWays,
    suffix: 'Staff',
    operation: (op) => staffOperation({ ...op, tag: 'Вход' }),
    config: { role: 'manager' },
    user: (request) => ({ side: 'staff', userId: memberOn(request).id }),
    bell: (request) => memberOn(request).id,
    clientId: () => undefined,
    body: bodyOf,
    change: (request, verbs) =>
      change(dependencies, request, {}, async (work) => {
        const { answer, after } = await verbs(work)
        return { answer, made: { objectId: memberOn(request).id, after } }
      }),
    mark: (request, verbs) =>
      change(dependencies, request, {}, async (work) => ({
        answer: await verbs(work),
        changed: false,
      })),
  })
  addLetterLog(app, dependencies)
}

function addLetterLog(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listNoticeLetters',
    tag: 'Журналы',
    summary: 'Письма и сообщения с уведомлениями',
    description: 'Кому и что с ними стало. Хранятся 90 дней. `total` считается до 100 000.',
    query: noticeLettersQuery,
    answers: { 200: { description: 'Страница писем.', schema: named(NoticeLetterPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  const config = { role: 'administrator' } as const
  app.get('/journal/notices', { schema, config }, async (request) => {
    refuseSomeWarehouses(request)
    const { state, ...page } = noticeLettersQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'notices', page, { state })
    return list.answer(await listLetters(db, state, list.request))
  })
}
