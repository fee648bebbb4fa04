import { excerpt } from '../../kernel/errors.ts'
import {
  isObsolete,
  isRejected,
  MarketplaceError,
  rejection,
  unlessRejected,
} from '../calls/failure.ts'
import type { Time } from '../calls/limits.ts'
import {
  type Fields,
  listOrNone,
  malformed,
  partOf,
  textOf,
  textOrNone,
} from '../calls/response-fields.ts'
import type { OzonClient } from './client.ts'
import { namesError } from './errors.ts'
import type { OzonFile } from './files.ts'
import { describePostingState } from './packing.ts'
import { type Posting, parsePosting } from './parse-postings.ts'
import { pollUntil } from './polling.ts'
import { isPacked, readOzonStatus } from './status.ts'

/**
 * Prints the label of a posting. OZON is withdrawing the call that returns the file: once it is
 * gone, a task prints the label and the file is downloaded. Labels are printed one by one, because
 * one posting that is not ready would spoil the file of all.
 */
export async function printLabel(
  client: OzonClient,
  time: Time,
  number: string,
): Promise<OzonFile> {
  try {
    return await printDirectly(client, time, number)
  } catch (error) {
    throw (await explainRefusedLabel(client, number, error)) ?? error
  }
}

function labelNotReady(number: string, cause?: unknown): MarketplaceError {
  const message = `OZON ещё готовит этикетку заказа ${number}, повторите через минуту`
  return new MarketplaceError('unreachable', message, { cause })
}

async function printDirectly(client: OzonClient, time: Time, number: string): Promise<OzonFile> {
  try {
    return await client.label(number)
  } catch (error) {
    if (!isObsolete(error)) throw error
  }
  return printByTask(client, time, number)
}

async function printByTask(client: OzonClient, time: Time, number: string): Promise<OzonFile> {
  const tasks = await client.createLabelTasks(number)
  const task = tasks.find((each) => textOrNone(each, 'task_type') === 'big_label') ?? tasks[0]
  if (task === undefined) throw malformed('tasks')
  const id = textOf(task, 'task_id')
  const look = async () => fileAddressIn(await client.labelTask(id), number)
  return client.download(await pollUntil(time, look, labelNotReady(number)))
}

/**
 * The address of the file; undefined while OZON prints. Throws if OZON could not print the label.
 */
function fileAddressIn(task: Fields, number: string): string | undefined {
  const status = partOf(task, 'status')
  const state = textOrNone(status, 'code')
  if (state !== 'completed' && state !== 'error') return undefined
  const unprinted = listOrNone(status, 'unprinted_postings').find(
    (row) => textOrNone(row, 'posting_number') === number,
  )
  if (state === 'completed' && unprinted === undefined) return textOf(task, 'file_url')
  const error = partOf(task, 'error')
  const code = textOrNone(error, 'code')
  const why = textOrNone(unprinted ?? error, 'message') ?? code
  throw new MarketplaceError('rejected', `OZON не напечатал этикетку заказа ${number}`, {
    code,
    remoteText: why === undefined ? undefined : excerpt(why, 200),
  })
}

const notReady = /(?:not|n't)[ _]ready/i
/**
 * Errors for postings that were packed a moment ago, and also for postings that cannot have a
 * label.
 */
const ambiguous = /INVALID_ARGUMENT|NO_POSTINGS_FOR_BATCH_DOWNLOAD/

/** The failure to show instead of a refusal to print, by the state of the posting. */
async function explainRefusedLabel(
  client: OzonClient,
  number: string,
  error: unknown,
): Promise<MarketplaceError | undefined> {
  if (!isRejected(error)) return undefined
  if (!namesError(error, notReady) && !namesError(error, ambiguous)) return undefined
  const later = namesError(error, notReady) ? labelNotReady(number, error) : undefined
  const response = await unlessRejected(client.posting(number))
  if (response === undefined) return later
  const posting = parsePosting(response)
  if (isPacked(posting.status)) return labelNotReady(number, error)
  switch (readOzonStatus({ supplier: posting.status }).status) {
    case 'NEW':
      return rejection(`Заказ ${number} на OZON ещё не собран: ${firstStepFor(posting)}`)
    case 'CANCELLED':
      return rejection(
        `${describePostingState(posting)}: этикетки не будет, уберите его из отгрузки`,
      )
    default:
      return later
  }
}

/**
 * OZON packs a posting when it joins a shipment, or at hand-over if the posting needs marking
 * codes.
 */
function firstStepFor({ needsMarkingCodes }: Posting): string {
  return needsMarkingCodes
    ? 'этикетка будет, когда закроете отгрузку с ним и с его кодами маркировки'
    : 'сначала добавьте его в отгрузку'
}
