import type { ReportedReturn } from '../../../../warehouse/returns/expected.ts'
import type { ReturnKind, ReturnState } from '../../../../warehouse/returns/state.ts'
import {
  type Fields,
  instantOrNone,
  integerOrNone,
  partOf,
  textOf,
  textOrNone,
  unitsOf,
} from '../../calls/response-fields.ts'

const kinds: Readonly<Record<string, ReturnKind>> = {
  Cancellation: 'CANCELLATION',
  FullReturn: 'REFUSAL',
  PartialReturn: 'REFUSAL',
  ClientReturn: 'BUYER_RETURN',
}

/** Names of states that bring goods here. */
const coming: Readonly<Record<string, ReturnState>> = {
  ArrivedAtReturnPlace: 'READY',
  MovingToSeller: 'ON_THE_WAY',
  ReturningToSellerByCourier: 'ON_THE_WAY',
  WaitingShipment: 'ON_THE_WAY',
  ReceivedBySeller: 'RECEIVED',
}

/** Claims, compensations, and goods that stay at OZON. */
const notComing = new Set([
  'Approved',
  'ApprovedByOzon',
  'Cancelled',
  'CancelledDisputeNotOpen',
  'CompensationOffered',
  'CompensationRejected',
  'CompensationRejectedBySeller',
  'CompensationRejectedBySla',
  'CrmRejected',
  'DisputeOpened',
  'DisputeOpening',
  'DisputeYouOpened',
  'MoneyReturned',
  'MoneyReturnedBySystem',
  'MovingToOzon',
  'OfferedPartialCompensation',
  'OnSellerApproval',
  'OnSellerClarification',
  'OnSellerClarificationAfterPartialCompensation',
  'PartialCompensationInProcess',
  'PartialCompensationReturned',
  'Rejected',
  'ReturnCompensated',
  'ReturnMoneyApproved',
  'ReturnedToOzon',
  'SendingError',
  'Utilized',
  'Utilizing',
  'WaitingCompensation',
  'WriteOff',
])

/** Undefined for goods that OZON delivers from its own warehouse: they never come here. */
export function parseReturn(row: Fields): ReportedReturn | undefined {
  const externalId = textOf(row, 'id')
  if ((textOrNone(row, 'schema') ?? 'FBS').toUpperCase() !== 'FBS') return undefined
  const product = partOf(row, 'product')
  const visual = partOf(row, 'visual')
  const logistic = partOf(row, 'logistic')
  const remoteState = textOrNone(partOf(visual, 'status'), 'sys_name')
  const state = stateOf(remoteState)
  const type = textOrNone(row, 'type') ?? textOrNone(row, 'type_') ?? ''
  return {
    externalId,
    kind: kinds[type] ?? 'OTHER',
    state,
    remoteState,
    reason: textOrNone(row, 'return_reason_name'),
    orderNumber: textOrNone(row, 'posting_number'),
    itemId: integerOrNone(product, 'sku'),
    article: textOrNone(product, 'offer_id'),
    name: textOrNone(product, 'name'),
    units: product.quantity == null ? 1 : unitsOf(product, 'quantity', 1),
    since: instantOrNone(logistic, 'return_date'),
    changedAt: instantOrNone(visual, 'change_moment'),
    place: placeOf(partOf(row, state === 'READY' ? 'place' : 'target_place')),
    labelCode: textOrNone(logistic, 'barcode'),
    disposalAt: instantOrNone(partOf(row, 'storage'), 'utilization_forecast_date'),
  }
}

function stateOf(name = ''): ReturnState {
  return coming[name] ?? (notComing.has(name) ? 'NOT_COMING' : 'OTHER')
}

function placeOf(place: Fields) {
  return { name: textOrNone(place, 'name'), address: textOrNone(place, 'address') }
}
