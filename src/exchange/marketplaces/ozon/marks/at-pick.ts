import { excerpt } from '../../../../platform/kernel/errors.ts'
import type { MarkRefusal, MarkVerdict } from '../../../../warehouse/picking/mark-proofs.ts'
import { mapInParallel } from '../../calls/chunks.ts'
import { unlessMissing, unlessRejected } from '../../calls/failure.ts'
import { type Fields, listOf, listOrNone, textOf, textOrNone } from '../../calls/response-fields.ts'
import type { MarkedOrder, MarkProving, SentOrder, ShippedUnit } from '../../connector.ts'
import { type OzonClient, ozonId } from '../client.ts'
import type { OzonContext } from '../context.ts'
import { setCountries } from './countries.ts'
import {
  arePassed,
  hadNoTime,
  marksOfUnit,
  type RefusedMark,
  refusedMarks,
  skuOf,
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

/**
 * Marks of units while their posting is picked. OZON says at once whether the form of a mark is right. It checks
 * the marks of a posting together, after the last unit, and is asked for the verdict.
 */
export function ozonProving(context: OzonContext): MarkProving {
  return {
    send: (order) => sendMarks(context, order),
    verdicts: (orders) => mapInParallel(orders, (order) => verdictsOf(context, order)),
  }
}

type Verdicts = readonly MarkVerdict[]

async function sendMarks({ client }: OzonContext, order: SentOrder): Promise<Verdicts> {
  const { externalId: number, units, isWhole } = order
  const all = (kind: 'waiting' | 'proven' | 'later') => units.map(() => ({ kind }))
  // The country decides whether OZON wants a declaration.
  if (isWhole) await setCountries(client, number, units)
  const response = await unlessDefined(unlessMissing(client.exemplars(number)))
  const products = response === undefined ? [] : listOf(response, 'products')
  // OZON takes no marks: it has them, or needs none.
  if (response === undefined || !products.some(takesData)) return all('proven')
  const assigned = await assignUnits(client, products, units)
  const ill = await illFormed(client, number, products, assigned)
  if (ill.size > 0) return units.map((unit) => ill.get(unit) ?? { kind: 'later' })
  if (!isWhole) return all('later')
  const wanted = pairAll(number, response, assigned)
  // What is lacking is asked for here, and at the latest when the shipment is closed.
  if (lackingIn(wanted).length > 0) return all('later')
  await setNewData(client, number, response, wanted)
  return all('waiting')
}

/** Units with a mark whose form OZON refuses. */
async function illFormed(
  client: OzonClient,
  number: string,
  products: readonly Fields[],
  assigned: ReadonlyMap<string, readonly ShippedUnit[]>,
): Promise<ReadonlyMap<ShippedUnit, MarkRefusal>> {
  const asked = products.flatMap((product) => {
    const units = takesData(product) ? (assigned.get(skuOf(product)) ?? []) : []
    const marked = units
      .map((unit) => ({ unit, marks: marksOfUnit(product, unit) }))
      .filter(({ marks }) => marks.length > 0)
    return marked.length === 0 ? [] : [{ product, marked }]
  })
  if (asked.length === 0) return new Map()
  const body = asked.map(({ product, marked }) => ({
    product_id: ozonId(skuOf(product)),
    exemplars: marked.map(({ marks }) => ({ marks })),
  }))
  // Where OZON does not check forms, the marks are checked after the last unit.
  const answer = await unlessRejected(client.validateExemplars(number, body))
  const wrong = listOrNone(answer ?? {}, 'products')
    .flatMap((product) => listOrNone(product, 'exemplars'))
    .flatMap((exemplar) => listOrNone(exemplar, 'marks'))
    .filter(({ valid }) => valid === false)
  return new Map(
    asked.flatMap(({ marked }) =>
      marked.flatMap(({ unit, marks }) => {
        const found = wrong.find(({ mark }) => marks.some((own) => own.mark === mark))
        return found === undefined ? [] : [[unit, refusalOfForm(unit, found)] as const]
      }),
    ),
  )
}

function refusalOfForm(unit: ShippedUnit, wrong: Fields): MarkRefusal {
  const value = textOrNone(wrong, 'mark')
  const codes = Array.isArray(wrong.errors) ? wrong.errors.map(String) : []
  const words = codes.length === 0 ? '' : ` (${excerpt(codes.join(', '))})`
  const reason = `неверный формат${words}`
  return { kind: 'refused', mark: kindIn(unit, value), code: codes[0], reason }
}

function kindIn({ markingCode, marks }: ShippedUnit, value: string | undefined) {
  if (markingCode === value) return 'marking_code'
  return Object.entries(marks).find(([, mark]) => mark === value)?.[0]
}

async function verdictsOf(
  { client }: OzonContext,
  { externalId: number, units }: MarkedOrder,
): Promise<Verdicts> {
  const status = await client.exemplarsStatus(number)
  const state = textOf(status, 'status')
  if (state === inProcess) return units.map(() => ({ kind: 'waiting' }))
  const refused = refusedMarks(status)
  const verdicts = units.map((unit) => refusalIn(unit, refused))
  if (verdicts.some((verdict) => verdict !== undefined)) {
    return verdicts.map((verdict) => verdict ?? { kind: 'later' })
  }
  if (refused.length > 0 || hadNoTime(status)) return units.map(() => ({ kind: 'again' }))
  const isGood = state === 'ship_available' || state === 'update_available'
  if (!isGood || !(await areAllPassed(client, number, units, status)))
    return units.map(() => ({ kind: 'waiting' }))
  // Once a posting is packed, OZON uses new data only after this call, and refuses the call where there are none.
  if (state === 'update_available') await unlessRejected(client.updateExemplars(number))
  return units.map(() => ({ kind: 'proven' }))
}

function refusalIn(unit: ShippedUnit, refused: readonly RefusedMark[]): MarkRefusal | undefined {
  const own = refused.find(({ kind, value }) => {
    if (value === undefined) return false
    return kindIn(unit, value) !== undefined || (kind === 'weight' && unit.marks.weight != null)
  })
  if (own === undefined) return undefined
  const { kind, codes } = own
  const reason = `проверка не пройдена (${excerpt(codes.join(', '))})`
  return { kind: 'refused', mark: kind, code: codes[0], reason }
}

/**
 * Whether each exemplar is in the status and has passed. Once OZON has all data it shows no exemplars: then they have.
 */
async function areAllPassed(
  client: OzonClient,
  number: string,
  units: readonly ShippedUnit[],
  status: Fields,
): Promise<boolean> {
  const response = await unlessDefined(client.exemplars(number))
  if (response === undefined) return true
  const assigned = await assignUnits(client, listOf(response, 'products'), units)
  return arePassed(status, exemplarsOf(pairAll(number, response, assigned)))
}
