import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, excerpt, invalidField } from '../../platform/kernel/errors.ts'
import { oneOfValues } from '../../platform/kernel/schema.ts'

/** Lists of reasons, the same for all clients. Reasons are added and never removed. */

export const reasonKinds = ['shortage', 'not_found', 'correction'] as const
export type ReasonKind = (typeof reasonKinds)[number]

export const Reason = Type.Object(
  {
    kind: oneOfValues(
      reasonKinds,
      'Для чего: shortage — недостача в приёмке, not_found — товар не найден при сборке, ' +
        'correction — корректировка, списание или расследование.',
    ),
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Z0-9_]+$',
      examples: ['WRONG_SIZE'],
      description: 'Код: заглавные латинские буквы, цифры и подчёркивание.',
    }),
    label: Type.String({ minLength: 1, maxLength: 200, description: 'Название по-русски.' }),
  },
  { $id: 'Reason', additionalProperties: false, description: 'Причина из пополняемого списка.' },
)
export type Reason = Static<typeof Reason>

/** It stands last, so that people read the others first. */
const other = 'OTHER'

/** Adds a reason. Throws conflict for a code that the list has. */
export async function addReason(work: Work, { kind, code, label }: Reason): Promise<void> {
  const added = await work.tx`
    insert into reasons (kind, code, label) values (${kind}, ${code}, ${label})
    on conflict do nothing returning code`
  if (added.length === 0) throw conflict(`Причина ${code} в этом списке уже есть`)
}

/** Throws validation_error for a code that the list does not have. */
export async function refuseUnknownReason(
  work: Work,
  kind: ReasonKind,
  code: string,
): Promise<void> {
  const [reason] = await work.tx`
    select code from reasons where kind = ${kind} and code = ${code}`
  if (reason === undefined) throw invalidField('reason', `нет причины с кодом ${excerpt(code)}`)
}

/** Lists reasons by kind, then by label, as people look for them. */
export async function listReasons(
  db: Queryable,
  filter: { readonly kind: ReasonKind | undefined },
  page: PageRequest,
): Promise<Page<Reason>> {
  const where = db`true ${conditionsOf(db, filter, { kind: (kind) => db`kind = ${kind}` })}`
  const total = db`select count(*) from reasons where ${where}`
  const isLast = db`code = ${other}`
  const after =
    page.after === undefined
      ? db``
      : db`and (kind, ${isLast}, label, code) > (${String(page.after[0])}, ${page.after[2] === other}, ${String(page.after[1])}, ${String(page.after[2])})`
  const rows = await db<(Reason & { total: number })[]>`
    select kind, code, label, ${totalFor(db, total, page)} as total from reasons
    where ${where} ${after} order by kind, ${isLast}, label, code limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ kind, code, label }) => ({ kind, code, label }),
    position: ({ kind, code, label }) => [kind, label, code],
    count: () => countOf(db, total),
  })
}

/** What people call the reasons, by their codes. */
export async function reasonLabels(db: Queryable): Promise<ReadonlyMap<string, string>> {
  const rows = await db<Reason[]>`select kind, code, label from reasons order by kind, code`
  return new Map(rows.map(({ code, label }) => [code, label]))
}
