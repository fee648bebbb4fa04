import type { Calls } from '../calls/calls.ts'
import {
  type FailureOptions,
  followUp,
  isRejected,
  MarketplaceError,
  temporaryFailure,
} from '../calls/failure.ts'
import type { Time } from '../calls/limits.ts'

/**
 * Rewords WB's refusals. A refusal that ends by itself becomes a temporary failure; one that staff
 * can resolve says what to do.
 */

/** WB is processing the supply, which takes seconds. */
const processing = 'SupplyIsProcessing'
const attemptsMax = 4
/** Before the second attempt; each later pause is twice as long, because each attempt costs ten calls. */
const firstPauseMs = 2000

const messages: Readonly<Record<string, string>> = {
  FulfillmentSupplyBoxesRequired:
    'WB не принимает эту поставку без грузомест: добавьте их в отгрузку, наклейте этикетки и закройте её ещё раз',
  CustomsDeclarationIsRequired:
    'WB не даёт этикетку без номера таможенной декларации: введите его у единицы в задании на сборку и напечатайте ещё раз',
  SupplyHasZeroOrders:
    'В поставке WB не осталось заказов, их отменили: уберите их из отгрузки и добавьте те, что поедут, или оставьте её пустой',
}

/** Calls that wait while WB processes a supply, and whose failures tell staff what to do. */
export function withStaffMessages(calls: Calls, time: Time): Calls {
  async function whileProcessing<T>(call: () => Promise<T>, attempt = 1): Promise<T> {
    try {
      return await call()
    } catch (error) {
      if (!isRejected(error)) throw error
      if (error.code !== processing || attempt === attemptsMax) throw withStaffMessage(error)
      await time.wait(firstPauseMs * 2 ** (attempt - 1))
      return followUp(error, whileProcessing(call, attempt + 1))
    }
  }

  return {
    raw: (call) => whileProcessing(() => calls.raw(call)),
    json: (call) => whileProcessing(() => calls.json(call)),
    list: (call) => whileProcessing(() => calls.list(call)),
  }
}

function withStaffMessage(error: MarketplaceError): MarketplaceError {
  const { status, code = '' } = error
  if (code === processing) return temporaryRefusal(error, 'WB ещё обрабатывает поставку')
  if (status === 402) {
    const what = 'WB ждёт оплаты от сервиса (код 402): пополните баланс в каталоге решений WB'
    return temporaryRefusal(error, what)
  }
  const message = isAboutWaybill(error) ? waybillMessage : messages[code]
  return message === undefined ? error : reworded(error, message)
}

/** WB takes the waybills of carriers in its cabinet alone: the call for them is in no document any more. */
export const waybillMessage =
  'WB просит электронную транспортную накладную (ЭТрН): оформите её для этой поставки в кабинете WB и ' +
  'закройте отгрузку ещё раз, или выберите, что везёте сами'

/** Its codes and texts are not known: WB announced the demand and took it back. */
export function speaksOfWaybill(text: string): boolean {
  return /way\s*bill|ЭТрН|накладн/i.test(text)
}

function isAboutWaybill({ status, code = '', message }: MarketplaceError): boolean {
  return status === 409 && speaksOfWaybill(`${code} ${message}`)
}

/** The same refusal with another message. */
export function reworded(error: MarketplaceError, message: string): MarketplaceError {
  return new MarketplaceError('rejected', message, detailsOf(error))
}

/** A refusal that ends by itself, as a temporary failure. */
export function temporaryRefusal(error: MarketplaceError, what: string): MarketplaceError {
  return temporaryFailure(what, detailsOf(error))
}

function detailsOf(error: MarketplaceError): FailureOptions {
  const { status, code } = error
  return { ...(status === undefined ? {} : { status }), code, cause: error }
}
