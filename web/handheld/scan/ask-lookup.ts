import { CallError } from '../../api/caller.ts'
import type { LookupMatch } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'

/** A dead Wi-Fi does not refuse: it never answers. */
const patienceMs = 4_000

/** What the code may be, as the warehouse says. Throws CallError, `offline` where no answer comes in time. */
export function askLookup(code: string): Promise<readonly LookupMatch[]> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new CallError('offline', 'late')), patienceMs)
  })
  const asked = staff('GET /lookup', { query: { code } }).then(({ matches }) => matches)
  return Promise.race([asked, late])
}
