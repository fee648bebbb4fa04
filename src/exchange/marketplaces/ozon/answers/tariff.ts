import type { LatenessCost } from '../../../../warehouse/orders/fact-kinds.ts'
import { optionalPart } from '../../calls/reported-facts.ts'
import { type Fields, instantOrNone, textOrNone } from '../../calls/response-fields.ts'

/**
 * What a posting costs by the time of its hand-over, the earliest step first. OZON spells the steps out, or names
 * the present tariff and the next one. Null where it says that there are none, which is so for sellers whose
 * discount is fixed with the order.
 */
export function parseLatenessCosts(posting: Fields): readonly LatenessCost[] | null | undefined {
  const { tariffication_steps: steps, tariffication } = posting
  const spelt = (Array.isArray(steps) ? steps : []).slice(0, stepsMax).map(parseStep)
  if (spelt.length > 0) return spelt
  const named = stepsNamed(optionalPart(posting, 'tariffication'))
  if (named.length > 0) return named
  return steps === undefined && tariffication === undefined ? undefined : null
}

const stepsMax = 20

function parseStep(step: unknown): LatenessCost {
  const fields = optionalPart({ step }, 'step')
  const charge = optionalPart(fields, 'tariff_charge')
  return costOf(fields, 'tariff', charge, instantOrNone(fields, 'tariff_deadline_at'))
}

function stepsNamed(tariff: Fields): LatenessCost[] {
  if (textOrNone(tariff, 'current_tariff_type') === undefined) return []
  const turn = instantOrNone(tariff, 'next_tariff_starts_at')
  const step = (name: string, until: number | undefined) =>
    costOf(tariff, name, optionalPart(tariff, `${name}_charge`), until)
  const present = step('current_tariff', turn)
  const hasNext = textOrNone(tariff, 'next_tariff_type') !== undefined
  return turn === undefined || !hasNext ? [present] : [present, step('next_tariff', undefined)]
}

/** The last step has the year 9999, which is no moment that can be shown. */
function costOf(
  fields: Fields,
  name: string,
  charge: Fields,
  until: number | undefined,
): LatenessCost {
  const rate = Number(textOrNone(fields, `${name}_rate`))
  // The answer about one posting has the sum and its currency beside each other.
  const amount = textOrNone(charge, 'amount') ?? textOrNone(fields, `${name}_charge`)
  const currency =
    textOrNone(charge, 'currency') ?? textOrNone(fields, `${name}_charge_currency_code`)
  return {
    until: until ?? null,
    tariff: (textOrNone(fields, `${name}_type`) ?? '').slice(0, wordMax),
    ...(Number.isFinite(rate) ? { percent: rate } : {}),
    ...(amount === undefined ? {} : { amount: amount.slice(0, wordMax) }),
    ...(currency === undefined ? {} : { currency: currency.slice(0, wordMax) }),
  }
}

const wordMax = 40
