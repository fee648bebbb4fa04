import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { quoted } from '../../platform/kernel/quoted.ts'
import { findProduct, knownProductOfScan } from '../catalogue/products.ts'
import { unknownProduct } from './balances.ts'
import { type Movement, recordMovements } from './ledger.ts'
import { compositionsOf } from './parts-allow.ts'

/**
 * Assemblies: documents by which free parts become sets that lie ready, and sets become parts again. Each is made at once
 * by corrections that name it. Undoing one moves back what it moved, whatever the set is made of by then.
 *
 *   made --undo--> undone
 */

export const assemblyKinds = ['ASSEMBLE', 'TAKE_APART'] as const
export type AssemblyKind = (typeof assemblyKinds)[number]

export interface NewAssembly {
  readonly kind: AssemblyKind
  /** Any barcode of the set. */
  readonly barcode: string
  /** Of the set. */
  readonly units: number
  readonly comment?: string | undefined
  /** The caller's name of the document. */
  readonly entryId?: string | undefined
}

const deedOf = { ASSEMBLE: 'Собран набор', TAKE_APART: 'Разобран набор' } as const

/**
 * Makes a document and moves its units. A repeated entry id gives the document that it made before, and `isNew` is
 * false. Throws validation_error for goods that the client does not have, conflict for goods that are no set, and
 * conflict where units are not free.
 */
export async function makeAssembly(
  work: Work,
  clientId: string,
  draft: NewAssembly,
): Promise<{ id: string; isNew: boolean }> {
  const { kind, units } = draft
  // The composition stays until the units have moved.
  await work.tx`select from clients where id = ${clientId} for no key update`
  const barcode = await knownProductOfScan(work.tx, clientId, draft.barcode)
  const set = barcode && (await findProduct(work.tx, clientId, barcode))
  if (!set) throw unknownProduct(draft.barcode)
  const id = await insertAssembly(work, clientId, { ...draft, barcode: set.barcode })
  if (typeof id !== 'string') return { ...id, isNew: false }
  const composition = (await compositionsOf(work.tx, clientId, [set.barcode])).get(set.barcode)
  if (composition === undefined) {
    throw conflict(`${quoted(set.name)} — не набор: менеджер указывает части на странице товара`)
  }
  const sign = kind === 'ASSEMBLE' ? 1 : -1
  const said = `${deedOf[kind]} ${quoted(set.name)}`
  const entry = {
    kind: 'correction',
    assemblyId: id,
    comment: draft.comment === undefined ? said : `${said}. ${draft.comment}`,
  } as const
  const movements: readonly Movement[] = [
    { ...entry, barcode: set.barcode, delta: sign * units },
    ...composition.parts.map((part) => ({
      ...entry,
      barcode: part.barcode,
      delta: -sign * units * part.qty,
    })),
  ]
  await recordMovements(work, clientId, movements)
  return { id, isNew: true }
}

/** The id of the new row, or the row that the entry id made before. */
async function insertAssembly(
  { tx, at, actor }: Work,
  clientId: string,
  { kind, barcode, units, comment, entryId }: NewAssembly,
): Promise<string | { id: string }> {
  const id = newId()
  const inserted = await tx`
    insert into set_assemblies (client_id, id, set_barcode, kind, units, entry_id, comment, at, actor)
    values (${clientId}, ${id}, ${barcode}, ${kind}, ${units}, ${entryId ?? null}, ${comment ?? null}, ${at},
      ${actorText(actor)})
    on conflict do nothing returning id`
  if (inserted.length > 0) return id
  const [known] = await tx<{ id: string }[]>`
    select id from set_assemblies where client_id = ${clientId} and entry_id = ${entryId ?? null}`
  if (known === undefined) throw new Error(`assembly ${entryId} vanished`)
  return known
}

/**
 * Moves the units of a document back. Returns false for one that is undone. Throws not_found, and conflict where the units
 * are not free any more.
 */
export async function undoAssembly(work: Work, clientId: string, id: string): Promise<boolean> {
  const { tx, at, actor } = work
  const [document] = await tx<{ undone: boolean; name: string }[]>`
    select a.undone_at is not null as undone, p.name from set_assemblies a
    join products p on p.client_id = a.client_id and p.barcode = a.set_barcode
    where a.client_id = ${clientId} and a.id = ${id} for no key update of a`
  if (document === undefined) throw notFound('Сборка набора не найдена')
  if (document.undone) return false
  const moved = await tx<{ barcode: string; units: number }[]>`
    select barcode, sum(delta)::bigint as units from stock_movements
    where client_id = ${clientId} and assembly_id = ${id} group by barcode order by barcode`
  await recordMovements(
    work,
    clientId,
    moved.map(({ barcode, units }) => ({
      kind: 'correction',
      barcode,
      delta: -units,
      assemblyId: id,
      comment: `Отменена сборка или разборка набора ${quoted(document.name)}`,
    })),
  )
  await tx`
    update set_assemblies set undone_at = ${at}, undone_by = ${actorText(actor)}
    where client_id = ${clientId} and id = ${id}`
  return true
}
