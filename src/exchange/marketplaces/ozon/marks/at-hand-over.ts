import { mapInParallel } from '../../calls/chunks.ts'
import { isRejected, rejection, temporaryFailure, unlessMissing } from '../../calls/failure.ts'
import { type Fields, listOf, textOf } from '../../calls/response-fields.ts'
import type { MarkedOrder, ShippedUnit } from '../../connector.ts'
import type { OzonClient } from '../client.ts'
import type { OzonContext } from '../context.ts'
import { pollUntil } from '../polling.ts'
import { isPacked, wasPacked } from '../status.ts'
import { setCountries } from './countries.ts'
import {
  arePassed,
  hadNoTime,
  neededKinds,
  refusedMarks,
  type SentExemplar,
  takesData,
} from './exemplar-data.ts'
import {
  assignUnits,
  exemplarsOf,
  inProcess,
  lackingIn,
  pairAll,
  setNewData,
  unlessDefined,
} from './exemplars.ts'
import { refuseLacking, refuseMarks } from './refusals.ts'

/**
 * Attaches the marks of picked units to postings. OZON checks them some time after its response.
 *
 * Staff may give more than OZON asks for: such marks are skipped. If OZON takes marks but needs none, a
 * refusal is no failure.
 */
export async function attachMarksToPostings(
  context: OzonContext,
  orders: readonly MarkedOrder[],
): Promise<void> {
  const refusals = await mapInParallel(orders, async (order) => {
    try {
      await attachToPosting(context, order)
      return undefined
    } catch (error) {
      if (isRejected(error)) return error
      throw error
    }
  })
  const named = refusals.flatMap((error) => error ?? []).slice(0, refusalsMax)
  const [first] = named
  if (first === undefined) return
  if (named.length === 1) throw first
  throw rejection(named.map(({ message }) => message).join('. '), first.code)
}

/** Orders that one refusal names at most. */
const refusalsMax = 5

async function attachToPosting(context: OzonContext, order: MarkedOrder): Promise<void> {
  const { client } = context
  try {
    await attach(context, order)
  } catch (error) {
    // A packed posting had its marks: OZON packs none that lacks them.
    const isRemote = isRejected(error) && error.status !== undefined
    if (!isRemote || !wasPacked(await statusOf(client, order.externalId))) throw error
  }
}

async function statusOf(client: OzonClient, number: string): Promise<string> {
  return textOf(await client.posting(number), 'status')
}

async function attach(context: OzonContext, { externalId: number, units }: MarkedOrder) {
  const { client } = context
  // The country decides whether OZON wants a declaration.
  await setCountries(client, number, units)
  const response = await unlessDefined(unlessMissing(client.exemplars(number)))
  // OZON takes no marks: it has them, needs none, or refuses the order itself later.
  if (response === undefined) return
  const products = listOf(response, 'products')
  if (!products.some(takesData)) return
  try {
    await attachToExemplars(context, number, response, units)
  } catch (error) {
    const isNeeded = products.some((product) => neededKinds(product).length > 0)
    if (isNeeded || !isRejected(error)) throw error
  }
}

async function attachToExemplars(
  context: OzonContext,
  number: string,
  response: Fields,
  units: readonly ShippedUnit[],
): Promise<void> {
  const { client } = context
  const assigned = await assignUnits(client, listOf(response, 'products'), units)
  const wanted = pairAll(number, response, assigned)
  const lacking = lackingIn(wanted)
  if (lacking.length > 0) {
    if (isPacked(await statusOf(client, number))) return
    throw refuseLacking(number, lacking)
  }
  const { isNew, isFixed } = await setNewData(client, number, response, wanted)
  await awaitAcceptance(context, number, isFixed ? [] : exemplarsOf(wanted), isNew)
}

/** Waits until OZON shows all exemplars that were sent as passed. Throws if it refuses one. */
async function awaitAcceptance(
  { client, time }: OzonContext,
  number: string,
  sent: readonly SentExemplar[],
  isNew: boolean,
): Promise<void> {
  const state = await pollUntil(
    time,
    async () => acceptedState(number, await client.exemplarsStatus(number), sent),
    () => temporaryFailure(`OZON ещё проверяет данные единиц заказа ${number}`),
  )
  // Once a posting is packed, OZON uses new data only after this call.
  if (isNew && state === 'update_available') await client.updateExemplars(number)
}

/** Undefined while OZON is checking, had no time to, or does not show all exemplars yet. */
function acceptedState(
  number: string,
  status: Fields,
  sent: readonly SentExemplar[],
): string | undefined {
  const state = textOf(status, 'status')
  if (state === inProcess) return undefined
  const refused = refusedMarks(status)
  if (refused.length > 0) throw refuseMarks(number, refused)
  if (hadNoTime(status)) return undefined
  if (state === 'ship_not_available') throw refuseMarks(number, [])
  return arePassed(status, sent) ? state : undefined
}
