import type { Work } from '../platform/db/work.ts'
import type { Lot } from '../platform/kernel/lot.ts'
import { day, moscowDate } from '../platform/kernel/moscow-time.ts'

const goodForDays = 180

/** What is read off units that are brought now; goods whose dates are not kept pass it over. */
export function lotOfBrought({ now }: Work): Lot {
  return { expiresOn: moscowDate(now + goodForDays * day), number: '' }
}
