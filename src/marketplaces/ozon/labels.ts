import { excerpt } from '../../kernel/errors.ts'
import { type Fields, listOrNone, malformed, textOf, textOrNone } from '../calls/answer.ts'
import { isObsolete, isRejected, MarketplaceError, unlessRejected } from '../calls/failure.ts'
import type { Time } from '../calls/limits.ts'
import type { OzonClient } from './client.ts'
import type { File } from './files.ts'
import { type Posting, partOf, postingOf } from './mapper.ts'
import { standingInWords } from './packing.ts'
import { refused, says } from './refusal.ts'
import { isPacked, readOzonStatus } from './status.ts'
import { seen } from './waiting.ts'

/**
 * The label of a posting. OZON withdraws the call that answers with it: where that is gone, a task is
 * given for it, and the file fetched once it is made. Always of one posting: in a file of several, one
 * that is not ready would spoil all.
 */
export async function labelOf(client: OzonClient, time: Time, number: string): Promise<File> {
  try {
    return await printed(client, time, number)
  } catch (error) {
    throw (await whyNot(client, number, error)) ?? error
  }
}

function comesLater(number: string, cause?: unknown): MarketplaceError {
  const message = `OZON ещё готовит этикетку заказа ${number}, повторите через минуту`
  return new MarketplaceError('unreachable', message, { cause })
}

async function printed(client: OzonClient, time: Time, number: string): Promise<File> {
  try {
    return await client.label(number)
  } catch (error) {
    if (!isObsolete(error)) throw error
  }
  return printedByTask(client, time, number)
}

async function printedByTask(client: OzonClient, time: Time, number: string): Promise<File> {
  const tasks = await client.createLabelTasks(number)
  const task = tasks.find((each) => textOrNone(each, 'task_type') === 'big_label') ?? tasks[0]
  if (task === undefined) throw malformed('tasks')
  const id = textOf(task, 'task_id')
  const look = async () => addressIn(await client.labelTask(id), number)
  return client.download(await seen(time, look, comesLater(number)))
}

/** Where the file is; undefined while it is being made. Throws where the label is not in it. */
function addressIn(task: Fields, number: string): string | undefined {
  const status = partOf(task, 'status')
  const state = textOrNone(status, 'code')
  if (state !== 'completed' && state !== 'error') return undefined
  const left = listOrNone(status, 'unprinted_postings').find(
    (row) => textOrNone(row, 'posting_number') === number,
  )
  if (state === 'completed' && left === undefined) return textOf(task, 'file_url')
  const error = partOf(task, 'error')
  const code = textOrNone(error, 'code')
  const why = textOrNone(left ?? error, 'message') ?? code
  throw new MarketplaceError('rejected', `OZON не напечатал этикетку заказа ${number}`, {
    code,
    said: why === undefined ? undefined : excerpt(why, 200),
  })
}

const notReady = /(?:not|n't)[ _]ready/i
/** What OZON says of postings that are packed since a moment ago, and of others for good. */
const unclear = /INVALID_ARGUMENT|NO_POSTINGS_FOR_BATCH_DOWNLOAD/

/** What a refusal to print comes of, where the posting tells. */
async function whyNot(
  client: OzonClient,
  number: string,
  error: unknown,
): Promise<MarketplaceError | undefined> {
  if (!isRejected(error) || !(says(error, notReady) || says(error, unclear))) return undefined
  const later = says(error, notReady) ? comesLater(number, error) : undefined
  const told = await unlessRejected(client.posting(number))
  if (told === undefined) return later
  const posting = postingOf(told)
  if (isPacked(posting.status)) return comesLater(number, error)
  switch (readOzonStatus({ supplier: posting.status }).status) {
    case 'NEW':
      return refused(`Заказ ${number} на OZON ещё не собран: ${firstStep(posting)}`)
    case 'CANCELLED':
      return refused(`${standingInWords(posting)}: этикетки не будет, уберите его из отгрузки`)
    default:
      return later
  }
}

/** Packing comes with joining a shipment, and where that wants marking codes with its closing. */
function firstStep({ needsMarks }: Posting): string {
  return needsMarks
    ? 'этикетка будет, когда закроете отгрузку с ним и с его кодами маркировки'
    : 'сначала добавьте его в отгрузку'
}
