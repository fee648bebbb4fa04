import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidParameter, notFound } from '../../../../platform/kernel/errors.ts'
import type { Instant } from '../../../../platform/kernel/moscow-time.ts'
import { sendTable, tableAnswer, tableFormat } from '../../../files/table-answer.ts'
import { rawQuery } from '../../../route/list.ts'
import { namesIn, type ParameterSchema, query, range } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { type ExportedList, type ExportSource, refuseUnknownClient } from './exported-list.ts'
import { listsOfClients } from './lists-of-clients.ts'
import { listsOfGoods } from './lists-of-goods.ts'
import { listsOfJournals } from './lists-of-journals.ts'
import { listsOfObjects } from './lists-of-objects.ts'
import { listsOfSettings } from './lists-of-settings.ts'
import { listsOfWork } from './lists-of-work.ts'

/** Every list of the console as a file, by the name in its address. */
export const exportedLists: Readonly<Record<string, ExportedList>> = {
  ...listsOfWork,
  ...listsOfObjects,
  ...listsOfGoods,
  ...listsOfClients,
  ...listsOfSettings,
  ...listsOfJournals,
}

const common = query({ format: tableFormat })
/** Files have no pages. */
const paging = ['limit', 'cursor']
const config = { role: 'manager' } as const

export function addExports(app: FastifyInstance, { reports, clock }: StaffDependencies): void {
  const titles = Object.entries(exportedLists).map(([name, { title }]) => `${name} — ${title}`)
  const schema = staffOperation({
    id: 'exportList',
    tag: 'Журналы',
    summary: 'Выгрузить список',
    description:
      `Файл со всеми строками списка, с его фильтрами и в его порядке (\`sort\`): ${titles.join(', ')}. Чужие для списка ` +
      'фильтры — ошибка. У заказов — строка на товар. Остатки и товары без `client_id` идут по клиентам, по названию; спискам ' +
      'одного клиента или объекта нужен его id.',
    params: { list: `Список: ${Object.keys(exportedLists).join(', ')}.` },
    query: { schema: { type: 'object', properties: allParameters() }, parse: common.parse },
    answers: { 200: tableAnswer },
    errors: ['bad_request', 'not_found'],
  })
  app.get<{ Params: { list: string } }>(
    '/exports/:list',
    { schema, config },
    async (request, reply) => {
      const { list: name } = request.params
      const { batches, ...list } = listNamed(name)
      const { format } = common.parse(rawQuery(request))
      const asked = askedOf(list, request)
      const source: ExportSource = { db: await reports.database(), request, now: clock.now() }
      await refuseUnknownClient(source, asked)
      const { title, columns } = list
      const table = { name, title, columns, format, batches: batches(source, asked) }
      return sendTable(reply, source.now, table)
    },
  )
}

function listNamed(name: string): ExportedList {
  const list = Object.hasOwn(exportedLists, name) ? exportedLists[name] : undefined
  if (list === undefined) throw notFound('Такого списка для выгрузки нет')
  return list
}

/** The parameters of all lists; each list says what a name means to it. */
function allParameters(): Record<string, ParameterSchema> {
  const all: Record<string, ParameterSchema> = {}
  for (const { query } of Object.values(exportedLists)) {
    for (const [name, schema] of Object.entries(query.schema.properties)) {
      if (paging.includes(name)) continue
      const isSame = all[name] === undefined || JSON.stringify(all[name]) === JSON.stringify(schema)
      all[name] = isSame ? schema : { type: 'string', description: 'Как у самого списка.' }
    }
  }
  return { ...all, ...common.schema.properties }
}

interface Asked {
  readonly client_id?: string | undefined
}

/** What the list's own query says. Throws bad_request for a filter of another list. */
function askedOf(
  { query, title }: Pick<ExportedList, 'query' | 'title'>,
  request: FastifyRequest,
): Asked {
  const raw = rawQuery(request)
  const mine = ['format', ...Object.keys(query.schema.properties)]
  const known = Object.keys(allParameters())
  const foreign = namesIn(raw).find((name) => known.includes(name) && !mine.includes(name))
  if (foreign !== undefined) {
    throw invalidParameter(foreign, `у списка «${title}» такого фильтра нет`)
  }
  const asked: Asked & {
    created_from?: Instant
    created_to?: Instant
    from?: Instant
    to?: Instant
  } = query.parse(raw)
  range(asked.created_from, asked.created_to, ['created_from', 'created_to'])
  range(asked.from, asked.to, ['from', 'to'])
  return asked
}
