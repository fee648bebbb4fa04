import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { actorNames } from '../../../../identity/staff/actor-names.ts'
import type { Queryable } from '../../../../platform/db/connection.ts'
import { named, oneOfValues } from '../../../../platform/kernel/schema.ts'
import {
  assemblyKinds,
  makeAssembly,
  undoAssembly,
} from '../../../../warehouse/stock/assemblies.ts'
import {
  Assembly,
  findAssembly,
  listAssemblies,
} from '../../../../warehouse/stock/assembly-list.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { query, shortPages, text } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { type ClientParams, clientInPath, clientParams } from '../clients/clients.ts'

const unitsMax = 100_000

export const AssemblyDraft = Type.Object(
  {
    kind: oneOfValues(assemblyKinds, 'ASSEMBLE — собрать, TAKE_APART — разобрать.'),
    barcode: Type.String({ minLength: 1, maxLength: 64, description: 'Штрихкод набора.' }),
    qty: Type.Integer({ minimum: 1, maximum: unitsMax, description: 'Сколько наборов.' }),
    comment: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Комментарий.' }),
    ),
    entry_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Ваш номер записи, один на клиента: такой же ещё раз ничего не меняет.',
      }),
    ),
  },
  { $id: 'AssemblyDraft', additionalProperties: false, description: 'Что собрать или разобрать.' },
)
export const AssemblyPage = pageSchema(Assembly, 'AssemblyPage', 'Страница сборок наборов.')

const assembliesQuery = query({
  barcode: text({ description: 'Одного набора, точный штрихкод.' }),
  ...shortPages,
})

export function addAssemblies(app: FastifyInstance, dependencies: StaffDependencies): void {
  addAssemblyList(app, dependencies)
  addAssemblyMaking(app, dependencies)
  addAssemblyUndoing(app, dependencies)
}

function addAssemblyList(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listAssemblies',
    tag: 'Остатки',
    summary: 'Сборки наборов',
    description: 'Собранное заранее и разобранное, последнее первым.',
    params: clientParams,
    query: assembliesQuery,
    answers: { 200: { description: 'Страница.', schema: named(AssemblyPage) } },
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  app.get<ClientParams>('/clients/:id/assemblies', { schema }, async (request) => {
    const { barcode, ...page } = assembliesQuery.parse(rawQuery(request))
    const client = await clientInPath(db, request.params.id)
    const list = openList(cursors, 'staff', `assemblies ${client}`, page, { barcode })
    const { items, ...rest } = await listAssemblies(db, client, { barcode }, list.request)
    return list.answer({ ...rest, items: await withMakers(db, items) })
  })
}

function addAssemblyMaking(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'makeAssembly',
    tag: 'Остатки',
    summary: 'Собрать или разобрать наборы',
    description:
      'Свободные части становятся наборами, которые лежат готовыми, или свободные наборы — частями, движениями вида correction.',
    params: clientParams,
    body: AssemblyDraft,
    answers: {
      200: { description: 'Сделано раньше, с тем же entry_id.', schema: named(Assembly) },
      201: { description: 'Сделано.', schema: named(Assembly) },
    },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<ClientParams>('/clients/:id/assemblies', { schema }, async (request, reply) => {
    const { qty: units, entry_id: entryId, ...draft } = bodyOf(AssemblyDraft, request)
    const clientId = await clientInPath(dependencies.db, request.params.id)
    const { assembly, isNew } = await change(dependencies, request, { clientId }, async (work) => {
      const { id, isNew } = await makeAssembly(work, clientId, { ...draft, units, entryId })
      const assembly = found(await findAssembly(work.tx, clientId, id))
      const made = { objectId: id, after: assembly }
      return { answer: { assembly, isNew }, made, changed: isNew }
    })
    const [shown] = await withMakers(dependencies.db, [assembly])
    return reply.code(isNew ? 201 : 200).send(shown)
  })
}

function addAssemblyUndoing(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'undoAssembly',
    tag: 'Остатки',
    summary: 'Отменить сборку набора',
    description:
      'Возвращает единицы, какими они были, если их ещё не отложили и не отгрузили. Отменённая раньше остаётся отменённой.',
    params: { ...clientParams, assembly: 'Идентификатор сборки.' },
    answers: { 200: { description: 'Отменена.', schema: named(Assembly) } },
    errors: ['not_found', 'conflict'],
  })
  app.post<{ Params: ClientParams['Params'] & { assembly: string } }>(
    '/clients/:id/assemblies/:assembly/undo',
    { schema },
    async (request) => {
      const { id, assembly: assemblyId } = request.params
      const clientId = await clientInPath(dependencies.db, id)
      found(await findAssembly(dependencies.db, clientId, assemblyId))
      const look = ({ tx }: { readonly tx: Queryable }) => findAssembly(tx, clientId, assemblyId)
      const subject = { clientId, objectId: assemblyId, look }
      const assembly = await change(dependencies, request, subject, async (work) => {
        const changed = await undoAssembly(work, clientId, assemblyId)
        return { answer: found(await look(work)), changed }
      })
      const [shown] = await withMakers(dependencies.db, [assembly])
      return shown
    },
  )
}

async function withMakers(db: Queryable, assemblies: readonly Assembly[]): Promise<Assembly[]> {
  const nameOf = await actorNames(
    db,
    assemblies.map((assembly) => assembly.created_by),
  )
  return assemblies.map((assembly) => ({
    ...assembly,
    created_by_name: nameOf(assembly.created_by),
  }))
}
