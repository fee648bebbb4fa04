import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import { afterPosition } from '../../platform/db/lists/newest-first.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../../platform/db/lists/page.ts'
import { isId } from '../../platform/kernel/ids.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, momentOrNull, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { type AssemblyKind, assemblyKinds } from './assemblies.ts'

export const Assembly = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор.' }),
    client_id: Type.String({ description: 'Клиент.' }),
    kind: oneOfValues(
      assemblyKinds,
      'ASSEMBLE — части стали наборами, TAKE_APART — наборы стали частями.',
    ),
    barcode: Type.String({ description: 'Штрихкод набора.' }),
    name: Type.String({ description: 'Название набора.' }),
    qty: Type.Integer({ minimum: 1, description: 'Сколько наборов.' }),
    parts: Type.Array(
      Type.Object({
        barcode: Type.String({ description: 'Штрихкод части.' }),
        name: Type.String({ description: 'Её название.' }),
        qty: Type.Integer({ minimum: 1, description: 'Сколько единиц на все наборы.' }),
      }),
      { description: 'Части, какими они были тогда, по возрастанию штрихкода.' },
    ),
    comment: textOrNull('Комментарий.'),
    entry_id: textOrNull('Ваш номер записи.'),
    created_at: moment('Когда.'),
    created_by: Type.String({ description: 'Кто: `staff:<id>` и другие.' }),
    created_by_name: Type.Optional(Type.String({ description: 'Он же словами.' })),
    undone_at: momentOrNull('Когда отменено; до этого null.'),
  },
  { $id: 'Assembly', description: 'Сборка или разборка набора.' },
)
export type Assembly = Static<typeof Assembly>

interface AssemblyRow extends Omit<Assembly, 'created_by_name'> {
  kind: AssemblyKind
  created_at: Timestamp
  undone_at: Timestamp | null
}

/** The parts as the first movements of the document say: its undoing comes later. */
const columns = (db: Queryable) => db`
  a.id, a.client_id, a.kind, a.set_barcode as barcode, p.name, a.units as qty, (
    select coalesce(json_agg(json_build_object('barcode', m.barcode, 'name', g.name, 'qty', abs(m.delta))
      order by m.barcode), '[]')
    from stock_movements m join products g on g.client_id = m.client_id and g.barcode = m.barcode
    where m.client_id = a.client_id and m.assembly_id = a.id and m.barcode <> a.set_barcode
      and (m.delta < 0) = (a.kind = 'ASSEMBLE')
  ) as parts, a.comment, a.entry_id, a.at as created_at, a.actor as created_by, a.undone_at`

const tables = (db: Queryable) => db`
  set_assemblies a join products p on p.client_id = a.client_id and p.barcode = a.set_barcode`

/** Lists the documents of a client, the newest first. */
export async function listAssemblies(
  db: Queryable,
  clientId: string,
  filter: { readonly barcode: string | undefined },
  page: PageRequest,
): Promise<Page<Assembly>> {
  const where = db`a.client_id = ${clientId} ${conditionsOf(db, filter, {
    barcode: (barcode) => db`a.set_barcode = ${barcode}`,
  })}`
  const total = db`select count(*) from set_assemblies a where ${where}`
  const rows = await db<(AssemblyRow & { total: number })[]>`
    select ${columns(db)}, (${total}) as total from ${tables(db)}
    where ${where} ${afterPosition(db, 'a', page.after, 'at')}
    order by a.at desc, a.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ total: _, ...row }) => row,
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

export async function findAssembly(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<Assembly | undefined> {
  if (!isId(id)) return undefined
  const [row] = await db<AssemblyRow[]>`
    select ${columns(db)} from ${tables(db)} where a.client_id = ${clientId} and a.id = ${id}`
  return row
}
