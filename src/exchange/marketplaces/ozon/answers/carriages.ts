import {
  day,
  type Instant,
  moscowDate,
  parseTime,
} from '../../../../platform/kernel/moscow-time.ts'
import type { ReportedShipment } from '../../../../warehouse/shipments/mirror.ts'
import {
  type Fields,
  flagOf,
  instantOrNone,
  isRemoteId,
  listOrNone,
  textOf,
  textOrNone,
  textsOf,
} from '../../calls/response-fields.ts'
import { isPacked } from '../status.ts'

const handedOverStatuses = new Set(['formed', 'sended', 'received', 'completed', 'closed'])

/**
 * Parses a carriage that was requested by its number; the response may hold no more than the
 * status. `received` means that OZON is still counting, `closed` that it has counted. An unknown
 * status counts as open, which has no effect on the ledger.
 */
export function parseCarriage(
  carriage: Fields,
  externalId: string,
  requestedAt: Instant,
): ReportedShipment {
  const status = textOf(carriage, 'status')
  const createdAt = instantOrNone(carriage, 'created_at')
  const updatedAt = instantOrNone(carriage, 'updated_at')
  const handedOverAt = estimateHandOver(carriage, createdAt, updatedAt) ?? requestedAt
  const closedAt = handedOverStatuses.has(status) ? handedOverAt : undefined
  return {
    externalId,
    name: undefined,
    createdAt: createdAt ?? closedAt ?? requestedAt,
    closedAt,
    acceptedAt: status === 'closed' ? (updatedAt ?? handedOverAt) : undefined,
    cancelled: status === 'cancelled',
    orders: undefined,
  }
}

/**
 * OZON does not report the time of the hand-over: it is not after the last change, not after the
 * day of departure, and not before the creation.
 */
function estimateHandOver(
  carriage: Fields,
  createdAt: Instant | undefined,
  updatedAt: Instant | undefined,
): Instant | undefined {
  const departure = parseTime((textOrNone(carriage, 'departure_date') ?? '').slice(0, 10))
  const endOfDay = departure.ok ? departure.instant + day - 1000 : undefined
  const latest = [updatedAt, endOfDay].flatMap((at) => at ?? [])
  return latest.length === 0 ? createdAt : Math.max(createdAt ?? 0, Math.min(...latest))
}

/**
 * Whether a carriage departs at this moment. OZON may report the departure to the millisecond, to
 * the second or only the day. A carriage created after midnight departs at its creation, and not
 * when the service first requested it.
 */
export function matchDeparture(carriage: Fields, at: Instant): 'yes' | 'no' | 'maybe' {
  const departure = instantOrNone(carriage, 'departure_date')
  if (departure === undefined || departure % 60_000 === 0) return 'maybe'
  if (departure === at && departure % 1000 !== 0) return 'yes'
  if (moscowDate(departure) !== moscowDate(at)) return 'maybe'
  return departure % 1000 === 0 && Math.abs(departure - at) < 1000 ? 'maybe' : 'no'
}

export interface CarriageSummary {
  readonly id: string
  readonly methodId: string
  readonly status: string
}

/** The carriages of a delivery method. One that does not exist yet has a number of 0 or less. */
export function parseMethodCarriages(method: Fields): CarriageSummary[] {
  const methodId = textOrNone(method, 'delivery_method_id') ?? ''
  return listOrNone(method, 'carriages')
    .map((carriage) => ({
      id: textOrNone(carriage, 'id') ?? textOf(carriage, 'carriage_id'),
      methodId,
      status: textOrNone(carriage, 'status') ?? '',
    }))
    .filter(({ id }) => isRemoteId(id))
}

/** What OZON permits with the carriages of a delivery method on a day. */
export interface CarriageOffer {
  readonly methodId: string
  readonly name: string
  readonly mayBeCreated: boolean
  /** One is there that nobody has confirmed. */
  readonly hasOpen: boolean
  /** OZON's courier comes, or OZON trusts the count of the warehouse: then nothing goes without a carriage. */
  readonly isNeeded: boolean
}

export function parseCarriageOffer(method: Fields): CarriageOffer {
  const methodId = textOrNone(method, 'delivery_method_id') ?? ''
  const carriages = listOrNone(method, 'carriages')
  const firstMile = textOrNone(method, 'first_mile_type')?.toLowerCase() ?? 'dropoff'
  return {
    methodId,
    name: textOrNone(method, 'delivery_method_name') ?? methodId,
    mayBeCreated: carriages.some((each) => textsOf(each, 'available_actions').includes('create')),
    hasOpen: parseMethodCarriages(method).some(({ status }) => status === 'new'),
    isNeeded: firstMile !== 'dropoff' || flagOf(method, 'has_entrusted_acceptance'),
  }
}

export interface CarriagePosting {
  readonly number: string
  readonly cancelled: boolean
  /** Ready for the hand-over, as every posting of an open carriage should be. */
  readonly packed: boolean
}

export function parseCarriagePosting(row: Fields): CarriagePosting {
  const status = textOrNone(row, 'status')
  return {
    number: textOf(row, 'posting_number'),
    cancelled: status === 'cancelled',
    packed: isPacked(status),
  }
}
