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
const attemptsMax = 3
const pauseMs = 2000

const messages: Readonly<Record<string, string>> = {
  FulfillmentSupplyBoxesRequired:
    'WB не принимает эту поставку без грузомест: добавьте их в отгрузку и закройте её ещё раз',
  CustomsDeclarationIsRequired:
    'WB не даёт этикетку без номера таможенной декларации: укажите его для заказа в кабинете WB',
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
      await time.wait(pauseMs)
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
  const message = messages[code]
  return message === undefined ? error : reworded(error, message)
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
