import type { Database } from '../../../platform/db/connection.ts'
import { isOn } from '../../../platform/process/switches.ts'
import { temporaryFailure } from './failure.ts'
import type { Limits } from './limits.ts'

/** While the exchange with marketplaces is off, no call gets a place: each fails before it is sent. */
export function whileOn(db: Database, limits: Limits): Limits {
  return {
    ...limits,
    async take(...asked) {
      if (await isOn(db, 'marketplaces')) return limits.take(...asked)
      throw temporaryFailure('Обмен с маркетплейсами выключен: его включает администратор')
    },
  }
}
