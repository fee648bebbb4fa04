import type { FakeResponse } from './fake.ts'
import { check, type OzonHandler, type OzonRequest, orderIn } from './ozon-request.ts'
import { type Exemplar, noData, type Order, type OzonRequirement } from './ozon-state.ts'

/** The data of each unit at the fake OZON: what it wants, what it has, and how it checks it. */

export const exemplarRoutes: Readonly<Record<string, OzonHandler>> = {
  '/v6/fbs/posting/product/exemplar/create-or-get': exemplars,
  '/v6/fbs/posting/product/exemplar/set': setExemplars,
  '/v5/fbs/posting/product/exemplar/validate': validateExemplars,
  '/v5/fbs/posting/product/exemplar/status': exemplarsStatus,
  '/v1/fbs/posting/product/exemplar/update': updateExemplars,
  '/v2/posting/fbs/product/country/set': setCountry,
}

export function isRequired(order: Order, kind: OzonRequirement): boolean {
  return order.required.includes(kind) || (kind === 'gtd' && order.faults.undeclared)
}

/** Whether OZON knows enough of the units to pack the order. */
export function isComplete(request: OzonRequest, order: Order): boolean {
  const isPlaced = !isRequired(order, 'country') || lackingCountry(order).length === 0
  return isPlaced && isDataComplete(request, order, order.exemplars)
}

/** Goods whose country nobody has given. */
export function lackingCountry({ lines, countries }: Order): number[] {
  return lines.flatMap(({ itemId }) => (countries.has(itemId) ? [] : itemId))
}

function isDataComplete(
  { seller }: OzonRequest,
  order: Order,
  exemplars: ReadonlyMap<number, Exemplar>,
): boolean {
  return unitsOf(order).every(({ sku, id }) => {
    const { gtd, is_gtd_absent, rnpt, is_rnpt_absent, weight, marks } = exemplars.get(id) ?? noData
    const has = (type: string) => marks.some(({ mark_type }) => mark_type === type)
    return (
      (has('mandatory_mark') || !seller.cards.get(sku)?.honestMark) &&
      (has('imei') || !isRequired(order, 'imei')) &&
      (has('jw_uin') || !isRequired(order, 'jw_uin')) &&
      (gtd !== '' || is_gtd_absent || !isRequired(order, 'gtd')) &&
      (rnpt !== '' || is_rnpt_absent || !isRequired(order, 'rnpt')) &&
      (weight > 0 || !isRequired(order, 'weight'))
    )
  })
}

function unitsOf({ number, lines }: Order): { sku: number; id: number }[] {
  const units = lines.flatMap(({ itemId, quantity }) => Array(quantity).fill(itemId) as number[])
  return units.map((sku, at) => ({ sku, id: number * 1000 + at }))
}

/** The exemplars of a product with their data. */
function shown(order: Order, data: ReadonlyMap<number, Exemplar>, itemId: number) {
  return unitsOf(order)
    .filter(({ sku }) => sku === itemId)
    .map(({ id }) => ({ exemplar_id: id, ...(data.get(id) ?? noData) }))
}

function exemplars(request: OzonRequest): FakeResponse {
  const order = orderIn(request)
  check(!order.faults.alreadyDefined, 400, 'EXEMPLAR_INFO_ALREADY_DEFINED')
  const products = order.lines.map(({ itemId, quantity }) => ({
    product_id: itemId,
    quantity,
    is_mandatory_mark_needed: request.seller.cards.get(itemId)?.honestMark ?? false,
    is_mandatory_mark_possible: false,
    is_gtd_needed: isRequired(order, 'gtd'),
    is_rnpt_needed: isRequired(order, 'rnpt'),
    is_jw_uin_needed: isRequired(order, 'jw_uin'),
    has_imei: isRequired(order, 'imei'),
    is_weight_needed: isRequired(order, 'weight'),
    weight_min: 0,
    weight_max: 0,
    exemplars: shown(order, order.exemplars, itemId),
  }))
  return { body: { posting_number: order.id, multi_box_qty: order.boxes, products } }
}

interface GivenProduct {
  readonly exemplars: readonly (Partial<Exemplar> & { readonly exemplar_id: number })[]
}

const editable = ['awaiting_packaging', 'awaiting_deliver']

function checkEditable({ supplier }: Order): void {
  check(editable.includes(supplier), 400, "Posting must have 'awaiting_packaging' status")
}

/** Checks the data, and replaces that of an unpacked order if it passes. */
function settle(request: OzonRequest, order: Order): void {
  const { newExemplars: data, faults, supplier } = order
  if (data === undefined || faults.pendingPolls > 0 || supplier !== 'awaiting_packaging') return
  if (!isGood(request, order, data)) return
  order.exemplars = data
  order.newExemplars = undefined
}

/** Complete, and nothing in it is unknown. */
function isGood(request: OzonRequest, order: Order, data: ReadonlyMap<number, Exemplar>): boolean {
  const values = [...data.values()].flatMap(({ gtd, rnpt, weight, marks }) => [
    gtd,
    rnpt,
    String(weight),
    ...marks.map(({ mark }) => mark),
  ])
  const isKnown = !values.some((value) => order.faults.unknownCodes.includes(value))
  return isKnown && isDataComplete(request, order, data)
}

interface ValidatedProduct {
  readonly product_id: number
  readonly exemplars: readonly { readonly marks: Exemplar['marks'] }[]
}

/** The form of marks alone, at once. */
function validateExemplars(request: OzonRequest): FakeResponse {
  const { faults } = orderIn(request)
  const products = (request.body.products as ValidatedProduct[]).map((product) => {
    const exemplars = product.exemplars.map(({ marks }) => {
      const checked = marks.map((one) => {
        const valid = !faults.illFormed.includes(one.mark)
        return { ...one, valid, errors: valid ? [] : ['INVALID_FORMAT'] }
      })
      const valid = checked.every((one) => one.valid)
      return { valid, errors: [], gtd: '', rnpt: '', weight: 0, marks: checked }
    })
    const valid = exemplars.every((one) => one.valid)
    return { product_id: product.product_id, valid, error: '', exemplars }
  })
  return { body: { products } }
}

/** The data counts once it has passed. */
function setExemplars(request: OzonRequest): FakeResponse {
  const order = orderIn(request)
  checkEditable(order)
  const given = (request.body.products as GivenProduct[]).flatMap((product) => product.exemplars)
  const own = new Set(unitsOf(order).map(({ id }) => id))
  check(given.length === own.size, 400, 'EXEMPLARS_INCOMPLETE')
  check(
    given.every((exemplar) => own.has(exemplar.exemplar_id)),
    400,
    'EXEMPLAR_NOT_FOUND',
  )
  const data = new Map(
    given.map(({ exemplar_id, ...fields }) => [exemplar_id, { ...noData, ...fields }]),
  )
  order.newExemplars = data
  order.faults.pendingPolls ||= order.faults.checkPolls
  settle(request, order)
  const boxes = request.body.multi_box_qty
  if (boxes !== undefined) order.boxes = Number(boxes)
  return { body: {} }
}

function exemplarsStatus(request: OzonRequest): FakeResponse {
  const order = orderIn(request)
  checkEditable(order)
  const { faults } = order
  const pending = faults.pendingPolls > 0
  if (pending) faults.pendingPolls -= 1
  else settle(request, order)
  const data = order.newExemplars ?? order.exemplars
  const isUnknown = (value: string | number) => faults.unknownCodes.includes(String(value))
  const checked = (value: string | number, error: string) =>
    isUnknown(value)
      ? { status: 'failed', errors: [error] }
      : { status: value === '' || value === 0 ? '' : 'passed', errors: [] as string[] }
  const products = order.lines.map(({ itemId }) => ({
    product_id: itemId,
    exemplars: shown(order, data, itemId)
      .slice(0, faults.hidesExemplars ? -1 : undefined)
      .map((exemplar) => {
        const gtd = checked(exemplar.gtd, 'INVALID_GTD_FORMAT')
        const rnpt = checked(exemplar.rnpt, 'INVALID_RNPT_FORMAT')
        const weight = checked(exemplar.weight, 'WEIGHT_OUT_OF_RANGE')
        return {
          ...exemplar,
          gtd_check_status: gtd.status,
          gtd_error_codes: gtd.errors,
          rnpt_check_status: rnpt.status,
          rnpt_error_codes: rnpt.errors,
          weight_check_status: weight.status,
          weight_error_codes: weight.errors,
          marks: exemplar.marks.map((one) => {
            const { status, errors } = faults.hasNoTime
              ? { status: 'failed', errors: [] }
              : checked(one.mark, 'MARK_NOT_IN_CIRCULATION')
            return { ...one, check_status: status, error_codes: errors }
          }),
        }
      }),
  }))
  const packed = order.supplier === 'awaiting_deliver'
  const [good, bad] = packed
    ? ['update_available', 'update_not_available']
    : ['ship_available', 'ship_not_available']
  const isDone = isGood(request, order, data) && !faults.hasNoTime
  const status = pending ? 'validation_in_process' : isDone ? good : bad
  return { body: { posting_number: order.id, products, status } }
}

/** Only here does new data of a packed order replace the old. */
function updateExemplars(request: OzonRequest): FakeResponse {
  const order = orderIn(request)
  check(order.supplier === 'awaiting_deliver', 400, "Posting must have 'awaiting_deliver' status")
  check(order.newExemplars !== undefined, 400, 'NOTHING_TO_UPDATE')
  order.exemplars = order.newExemplars
  order.newExemplars = undefined
  return { body: {} }
}

/** Names the product by the seller's number, which is not the sku. */
function setCountry(request: OzonRequest): FakeResponse {
  const order = orderIn(request)
  check(
    order.supplier === 'awaiting_packaging',
    400,
    "Posting must have 'awaiting_packaging' status",
  )
  const number = Number(request.body.product_id)
  const card = [...request.seller.cards.values()].find(({ nmId }) => nmId === number)
  const line = order.lines.find(({ itemId }) => itemId === card?.itemId)
  check(line !== undefined, 400, 'PRODUCT_NOT_FOUND')
  const country = String(request.body.country_iso_code)
  check(!order.faults.unknownCodes.includes(country), 400, 'INVALID_COUNTRY_ISO_CODE')
  order.countries.set(line.itemId, country)
  return { body: { product_id: number, is_gtd_needed: isRequired(order, 'gtd') } }
}
