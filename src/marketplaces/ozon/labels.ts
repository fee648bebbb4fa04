import { excerpt } from '../../kernel/errors.ts'
import { type Fields, listOrNone, malformed, textOf, textOrNone } from '../calls/answer.ts'
import { isObsolete, isRejected, MarketplaceError, unlessRejected } from '../calls/failure.ts'
import type { Time } from '../calls/limits.ts'
import type { OzonClient } from './client.ts'
import type { File } from './files.ts'
import { partOf } from './mapper.ts'
import { says } from './refusal.ts'
import { isPacked } from './status.ts'
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
    if (!(await isInTheMaking(client, number, error))) throw error
    throw new MarketplaceError('unreachable', comesLater(number), { cause: error })
  }
}

const comesLater = (number: string) =>
  `OZON ещё готовит этикетку заказа ${number}, повторите через минуту`

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

async function isInTheMaking(client: OzonClient, number: string, error: unknown): Promise<boolean> {
  if (!isRejected(error)) return false
  if (says(error, notReady)) return true
  if (!says(error, unclear)) return false
  const posting = await unlessRejected(client.posting(number))
  return posting !== undefined && isPacked(textOf(posting, 'status'))
}
