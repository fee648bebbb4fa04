import { day, type Instant } from '../../../../platform/kernel/moscow-time.ts'
import type { ReportedReturn } from '../../../../warehouse/returns/expected.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import { integerOrNone, malformed } from '../../calls/response-fields.ts'
import type { ReportedPage } from '../../connector.ts'
import { parseReturn } from '../answers/returns.ts'
import type { OzonContext } from '../context.ts'

/** Returns that did not change for so long were fetched or disposed of. */
const firstWindowMs = 90 * day
/** OZON refuses calls of one list that follow each other faster, well below its limit of all calls. */
const pagePauseMs = 1500

/** Returns whose state changed since `since`, by number; some may be older, because OZON may ignore the filter. */
export async function* listOzonReturns(
  { client, time, now }: OzonContext,
  since: Instant | undefined,
): AsyncGenerator<ReportedPage<ReportedReturn>> {
  const reader = openPartialReader()
  const period = { from: since ?? now() - firstWindowMs, to: now() }
  for (let lastId = 0; ; ) {
    const { requestedAt, items, hasNext } = await client.returns(period, lastId)
    yield { requestedAt, items: reader.each(items, parseReturn) }
    if (!hasNext || items.length === 0) break
    const last = integerOrNone(items.at(-1) ?? {}, 'id')
    if (last === undefined || last <= lastId) throw malformed('id')
    lastId = last
    await time.wait(pagePauseMs)
  }
  reader.finish()
}
