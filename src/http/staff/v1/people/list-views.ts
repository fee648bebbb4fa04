import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import {
  deleteView,
  findView,
  ListView,
  listViews,
  saveView,
  type ViewReader,
} from '../../../../identity/staff/list-views.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { found, rawQuery } from '../../../route/list.ts'
import { query, text } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { memberOn } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

export const ListViewDraft = Type.Object(
  {
    list: Type.String({ minLength: 1, maxLength: 64, description: 'Список, например orders.' }),
    name: Type.String({ minLength: 1, maxLength: 64, description: 'Название вида.' }),
    query: Type.String({
      maxLength: 2000,
      description: 'Строка запроса страницы, без знака вопроса.',
    }),
  },
  { $id: 'ListViewDraft', additionalProperties: false, description: 'Вид списка.' },
)
const ListViews = Type.Object(
  { items: Type.Array(named(ListView), { description: 'Сначала ваши, затем по названию.' }) },
  { $id: 'ListViews', description: 'Сохранённые виды.' },
)
const viewsQuery = query({
  list: text({ description: 'Список, например orders; без него — все.' }),
})
const config = { role: 'manager' } as const

const readerOf = (request: FastifyRequest): ViewReader => memberOn(request)

export function addListViews(app: FastifyInstance, dependencies: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listListViews',
    tag: 'Настройки',
    summary: 'Сохранённые виды списка',
    description: 'Ваши и те, что сохранили коллеги с ваших складов.',
    query: viewsQuery,
    answers: { 200: { description: 'Виды.', schema: named(ListViews) } },
    errors: ['bad_request'],
  })
  app.get('/list-views', { schema: listSchema, config }, async (request) => {
    const { list } = viewsQuery.parse(rawQuery(request))
    return { items: await listViews(dependencies.db, list, readerOf(request)) }
  })

  const saveSchema = staffOperation({
    id: 'saveListView',
    tag: 'Настройки',
    summary: 'Сохранить вид списка',
    description: 'Его увидят коллеги с ваших складов. Ваш вид с таким же названием заменяется.',
    body: ListViewDraft,
    answers: { 200: { description: 'Сохранён.', schema: named(ListView) } },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  app.post('/list-views', { schema: saveSchema, config }, async (request) => {
    const draft = bodyOf(ListViewDraft, request)
    const reader = readerOf(request)
    return change(dependencies, request, {}, async (work) => {
      const id = await saveView(work, reader.id, draft)
      const after = found(await findView(work.tx, id, reader))
      return { answer: after, made: { objectId: id, after } }
    })
  })

  const deleteSchema = staffOperation({
    id: 'deleteListView',
    tag: 'Настройки',
    summary: 'Удалить вид списка',
    description: 'Свой.',
    params: { id: 'Идентификатор вида.' },
    answers: { 204: { description: 'Удалён.' } },
    errors: ['not_found'],
  })
  app.delete<{ Params: { id: string } }>(
    '/list-views/:id',
    { schema: deleteSchema, config },
    async (request, reply) => {
      const { id } = request.params
      const reader = readerOf(request)
      const look = ({ tx }: { tx: Parameters<typeof findView>[0] }) => findView(tx, id, reader)
      await change(dependencies, request, { objectId: id, look }, async (work) => {
        await deleteView(work, id, reader)
        return { answer: undefined, made: { after: null } }
      })
      return reply.code(204).send()
    },
  )
}
