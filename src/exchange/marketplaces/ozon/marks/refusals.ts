import { absentMarkKinds, markNames } from '../../../../platform/kernel/codes/unit-mark.ts'
import { excerpt } from '../../../../platform/kernel/errors.ts'
import type { MarkKind } from '../../../../warehouse/orders/fact-kinds.ts'
import { type MarketplaceError, rejection, unlessRejected } from '../../calls/failure.ts'
import { listOrNone, textOf } from '../../calls/response-fields.ts'
import { parsePosting } from '../answers/postings.ts'
import type { OzonClient } from '../client.ts'
import {
  hadNoTime,
  hasOpenMarks,
  lackingKinds,
  type RefusedMark,
  refusedMarks,
} from './exemplar-data.ts'
import { inProcess } from './exemplars.ts'

/** Why OZON takes no marks, or packs no posting for want of them, in sentences for workers. */

/** In the accusative. */
export function describeLacking(kinds: readonly MarkKind[]): string {
  const names = [...new Set(kinds)].map((kind) => markNames[kind] ?? `«${excerpt(kind)}»`)
  return names.join(', ')
}

const code = 'EXEMPLAR_INFO_NOT_FILLED_COMPLETELY'

/** For workers who close the shipment of the order. */
export function refuseLacking(order: string, kinds: readonly MarkKind[]): MarketplaceError {
  const mayBeAbsent = kinds.some((kind) => absentMarkKinds.some((absent) => absent === kind))
  const or = mayBeAbsent ? ' или отметьте, что номера нет,' : ''
  return rejection(
    `Для товаров заказа ${order} OZON требует ${describeLacking(kinds)}: добавьте к единицам в задании ` +
      `на сборку${or} и закройте отгрузку ещё раз`,
    code,
  )
}

/** What OZON still wants to know of the units of an unpacked posting. */
export async function lackingOf(client: OzonClient, number: string): Promise<MarkKind[]> {
  const [exemplars, posting] = await Promise.all([
    unlessRejected(client.exemplars(number)),
    unlessRejected(client.posting(number)),
  ])
  const ofUnits = listOrNone(exemplars ?? {}, 'products').flatMap((product) =>
    lackingKinds(product, listOrNone(product, 'exemplars')),
  )
  const isCountryLacking = posting && parsePosting(posting).countrySkus.length > 0
  return [...new Set([...ofUnits, ...(isCountryLacking ? ['country'] : [])])]
}

const namedMax = 5

/** For workers who close the shipment of the order. */
export function refuseMarks(number: string, refused: readonly RefusedMark[]): MarketplaceError {
  const named = refused.slice(0, namedMax).map(({ kind, value, codes }) => {
    const name = describeLacking(kind === undefined ? [] : [kind]) || 'данные'
    const shown = value === undefined || kind === 'weight' ? name : `${name} ${excerpt(value)}`
    return `${shown} (${excerpt(codes.join(', '))})`
  })
  const what = named.join(', ') || 'данные единиц'
  return rejection(
    `OZON не принял в заказе ${number} ${what}: сверьте с товаром, исправьте в задании на сборку ` +
      'и закройте отгрузку ещё раз',
    refused.flatMap(({ codes }) => codes)[0],
  )
}

function refuseUnchecked(number: string): MarketplaceError {
  return rejection(
    `OZON ещё проверяет данные единиц заказа ${number}: закройте отгрузку ещё раз через минуту`,
    code,
  )
}

/** Why OZON does not pack a posting whose data it finds incomplete; undefined where it does not tell. */
export async function explainIncomplete(
  client: OzonClient,
  number: string,
): Promise<MarketplaceError | undefined> {
  const status = await unlessRejected(client.exemplarsStatus(number))
  if (status !== undefined && textOf(status, 'status') === inProcess) return refuseUnchecked(number)
  const refused = refusedMarks(status ?? {})
  if (refused.length > 0) return refuseMarks(number, refused)
  if (hadNoTime(status ?? {}) || hasOpenMarks(status ?? {})) return refuseUnchecked(number)
  const lacking = await lackingOf(client, number)
  if (lacking.length > 0) return refuseLacking(number, lacking)
  // All is there by now.
  return status === undefined ? undefined : refuseUnchecked(number)
}
