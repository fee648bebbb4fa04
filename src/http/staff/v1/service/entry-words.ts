import { actorNames, namesOfLogins } from '../../../../identity/staff/actor-names.ts'
import type { Queryable } from '../../../../platform/db/connection.ts'
import { productNames } from '../../../../warehouse/catalogue/product-names.ts'
import { type CodeWords, changesInWords } from '../../../../warehouse/journal/change-words.ts'
import { deeds } from '../../../../warehouse/journal/deeds.ts'
import { handledGoods, isKeptScan } from '../../../../warehouse/journal/handled-goods.ts'
import type { RecordedChange, StaffEntry } from '../../../../warehouse/journal/staff.ts'
import { objectNames } from '../../../../warehouse/lookup/object-names.ts'
import { reasonLabels } from '../../../../warehouse/stock/reasons.ts'
import { valueWords } from './value-words.ts'

/** Entries of the journal of changes as people read them: what was done, with what goods, what was and what is, by names. */

interface Worded extends RecordedChange {
  readonly words: string[]
}

export async function entriesInWords(
  db: Queryable,
  entries: readonly RecordedChange[],
): Promise<StaffEntry[]> {
  const codeWords = await codeWordsOf(db, entries)
  const worded = entries.map((entry) => ({ ...entry, words: wordsOf(entry, codeWords) }))
  const [named, goodsOf] = await Promise.all([namesIn(db, worded), goodsIn(db, entries)])
  return worded.map((entry) => ({ ...named(entry), ...titleOf(entry), ...goodsOf(entry) }))
}

/**
 * Words of reasons and of logins are in the database: warehouses add reasons, and queued scans name people by login.
 */
async function codeWordsOf(db: Queryable, entries: readonly RecordedChange[]): Promise<CodeWords> {
  const logins = entries.flatMap(({ after }) => loginIn(after) ?? [])
  const [reasons, people] = await Promise.all([reasonLabels(db), namesOfLogins(db, logins)])
  return (field, code) => {
    if (field === 'reason' || field === 'shortage_reason') return reasons.get(code)
    if (field === 'queued_by') return people.get(code)
    return valueWords[field]?.[code]
  }
}

function loginIn(state: unknown): string | undefined {
  const { queued_by: login } = (state ?? {}) as { readonly queued_by?: unknown }
  return typeof login === 'string' ? login : undefined
}

function wordsOf({ before, after, ...entry }: RecordedChange, codeWords: CodeWords): string[] {
  const goods = handledGoods({ before, after, ...entry })
  if (goods === undefined || before !== null) return changesInWords(before, after, codeWords)
  const { name: _, qty: __, units: ___, code: ____, ...rest } = after as Record<string, unknown>
  return changesInWords(before, rest, codeWords)
}

function titleOf({ action, after }: RecordedChange): { readonly title?: string } {
  const title = isKeptScan(after) ? 'Скан отложен до решения' : deeds[action]
  return title === undefined ? {} : { title }
}

const idsIn = /(?:staff:|seller:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Names in place of ids. A word with an id that nobody can name says nothing. */
async function namesIn(db: Queryable, entries: readonly Worded[]) {
  const idsOf = ({ words }: Worded) => words.flatMap((word) => word.match(idsIn) ?? [])
  const asked = entries.flatMap((entry) =>
    [entry.client_id, entry.object_id, orderIn(entry), ...idsOf(entry).map(bare)].map((id) => ({
      client_id: entry.client_id,
      id,
    })),
  )
  const actors = entries.flatMap((entry) => [entry.actor, ...idsOf(entry)])
  const [names, nameOf] = await Promise.all([objectNames(db, asked), actorNames(db, actors)])
  const nameIn = (id: string) => (id.includes(':') ? nameOf(id) : names.get(id)?.title || id)
  return (entry: Worded) => {
    const client = names.get(entry.client_id ?? '')
    const object = names.get(entry.object_id ?? '') ?? names.get(orderIn(entry) ?? '')
    return {
      ...entry,
      words: [...new Set(entry.words.map((word) => word.replace(idsIn, nameIn)))].filter(
        (word) => word.search(idsIn) < 0,
      ),
      mentioned: [...new Set(idsOf(entry).map(bare))].flatMap((id) => names.get(id) ?? []),
      actor_name: nameOf(entry.actor),
      ...(client && { client_name: client.title }),
      ...(object && { object }),
    }
  }
}

/** A miss has no name of its own: its order stands for it. */
function orderIn({ after }: RecordedChange): string | null {
  const { order_id: order } = (after ?? {}) as { readonly order_id?: unknown }
  return typeof order === 'string' ? order : null
}

function bare(id: string): string {
  return id.slice(id.indexOf(':') + 1)
}

async function goodsIn(db: Queryable, entries: readonly RecordedChange[]) {
  const asked = entries.flatMap((entry) => {
    const goods = handledGoods(entry)
    return entry.client_id === null || goods === undefined
      ? []
      : [{ client_id: entry.client_id, barcode: goods.barcode }]
  })
  const names = await productNames(db, asked)
  return (entry: RecordedChange): Pick<StaffEntry, 'goods'> => {
    const goods = handledGoods(entry)
    if (goods === undefined) return {}
    const name = names(entry.client_id, goods.barcode) ?? goods.barcode
    return { goods: { ...goods, name } }
  }
}
