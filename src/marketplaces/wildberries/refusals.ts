import type { Calls } from '../calls/calls.ts'
import {
  type FailureOptions,
  following,
  isRejected,
  MarketplaceError,
  passing,
} from '../calls/failure.ts'
import type { Time } from '../calls/limits.ts'

/** Refusals of WB that are not for ever, or whose words are of no use to staff. */

/** Something else is being done to the supply, which takes seconds. */
const processing = 'SupplyIsProcessing'
const triesMax = 3
const pauseMs = 2000

const words: Readonly<Record<string, string>> = {
  FulfillmentSupplyBoxesRequired:
    'WB не принимает эту поставку без грузомест: добавьте их в кабинете WB и закройте отгрузку ещё раз',
  CustomsDeclarationIsRequired:
    'WB не даёт этикетку без номера таможенной декларации: укажите его для заказа в кабинете WB',
  SupplyHasZeroOrders:
    'В поставке WB не осталось заказов, их отменили: уберите их из отгрузки и добавьте те, что поедут, или оставьте её пустой',
}

/** Calls that wait for a supply that WB is busy with, and fail in words that say what to do. */
export function retelling(calls: Calls, time: Time): Calls {
  async function told<T>(ask: () => Promise<T>, tries = 1): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      if (!isRejected(error)) throw error
      if (error.code !== processing || tries === triesMax) throw inOwnWords(error)
      await time.wait(pauseMs)
      return following(error, told(ask, tries + 1))
    }
  }

  return {
    raw: (call) => told(() => calls.raw(call)),
    json: (call) => told(() => calls.json(call)),
    list: (call) => told(() => calls.list(call)),
  }
}

function inOwnWords(error: MarketplaceError): MarketplaceError {
  const { status, code = '' } = error
  if (code === processing) return passingFor(error, 'WB ещё обрабатывает поставку')
  if (status === 402) {
    const what = 'WB ждёт оплаты от сервиса (код 402): пополните баланс в каталоге решений WB'
    return passingFor(error, what)
  }
  const own = words[code]
  return own === undefined ? error : retold(error, own)
}

/** The same refusal in other words. */
export function retold(error: MarketplaceError, message: string): MarketplaceError {
  return new MarketplaceError('rejected', message, knownOf(error))
}

/** A refusal that is none for ever. */
export function passingFor(error: MarketplaceError, what: string): MarketplaceError {
  return passing(what, knownOf(error))
}

function knownOf(error: MarketplaceError): FailureOptions {
  const { status, code } = error
  return { ...(status === undefined ? {} : { status }), code, cause: error }
}
