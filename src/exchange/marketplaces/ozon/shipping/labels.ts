import { excerpt } from '../../../../platform/kernel/errors.ts'
import {
  isRejected,
  isWithdrawn,
  MarketplaceError,
  rejection,
  unlessRejected,
} from '../../calls/failure.ts'
import {
  type Fields,
  listOrNone,
  malformed,
  partOf,
  textOf,
  textOrNone,
  textsOf,
} from '../../calls/response-fields.ts'
import { type Posting, parsePosting } from '../answers/postings.ts'
import { labelPaths } from '../client.ts'
import type { OzonContext } from '../context.ts'
import { namesError } from '../errors.ts'
import type { OzonFile } from '../files.ts'
import type { LabelTask } from '../memory.ts'
import { pollUntil } from '../polling.ts'
import { isPacked, readOzonStatus } from '../status.ts'
import { describePostingState } from './packing.ts'

/**
 * Prints the label of a posting: a task prints it, and the file is downloaded. Labels are printed one
 * by one, because one posting that is not ready would spoil the file of all.
 *
 * A label is ready about a minute after packing. A caller does not wait for it: the refusal says
 * when to repeat, and the repeated call looks at the same task again.
 */
export async function printLabel(context: OzonContext, number: string): Promise<OzonFile> {
  try {
    return await printByTask(context, number)
  } catch (error) {
    throw (await explainRefusedLabel(context, number, error)) ?? error
  }
}

/** OZON prints a label this long after it has packed the posting. */
const printingSeconds = 60
const repeatSecondsMin = 5
const notReadyCode = 'LABEL_NOT_READY'

/** `sinceMs`: how long OZON has been printing. */
function labelNotReady(number: string, sinceMs: number, cause?: unknown): MarketplaceError {
  const left = Math.ceil(printingSeconds - sinceMs / 1000)
  const retryAfterSeconds = Math.min(printingSeconds, Math.max(repeatSecondsMin, left))
  const message = `OZON ещё готовит этикетку заказа ${number}: повторите через ${retryAfterSeconds} с`
  return new MarketplaceError('rejected', message, {
    code: notReadyCode,
    cause,
    retryAfterSeconds,
  })
}

async function printByTask(context: OzonContext, number: string): Promise<OzonFile> {
  const { client, memory, now } = context
  const kept = memory.labelTask(client.account, number, now())
  const file = kept === undefined ? undefined : await downloadFrom(context, kept, number)
  if (file !== undefined) return file
  const task = await startTask(context, number)
  memory.keepLabelTask(client.account, number, task)
  const printed = await downloadFrom(context, task, number)
  if (printed === undefined) throw labelNotReady(number, now() - task.startedAt)
  return printed
}

/** OZON makes a task for each size; the big one fits the usual printers of labels. */
async function startTask({ client, memory, now }: OzonContext, number: string): Promise<LabelTask> {
  if (memory.isWithdrawn(labelPaths.createTasks)) throw printingChanged()
  const tasks = await client.createLabelTasks(number).catch((error: unknown) => {
    if (!isWithdrawn(error)) throw error
    memory.noteWithdrawn(labelPaths.createTasks)
    throw printingChanged()
  })
  const task = tasks.find((each) => textOrNone(each, 'task_type') === 'big_label') ?? tasks[0]
  if (task === undefined) throw malformed('tasks')
  return { id: textOf(task, 'task_id'), startedAt: now() }
}

function printingChanged(): MarketplaceError {
  return rejection(
    'OZON сменил способ печати этикеток, сервис нужно обновить: пока печатайте их в кабинете OZON',
  )
}

/**
 * The file of a task; undefined where OZON no longer knows the task. A task is kept until its file
 * arrived or OZON failed to print, so that a repeated call does not start another one.
 */
async function downloadFrom(
  { client, memory, time, now }: OzonContext,
  { id, startedAt }: LabelTask,
  number: string,
): Promise<OzonFile | undefined> {
  const late = () => labelNotReady(number, now() - startedAt)
  const look = async () => fileAddressIn(await client.labelTask(id), number)
  try {
    const file = await client.download(await pollUntil(time, look, late, labelPolls))
    memory.dropLabelTask(client.account, number)
    return file
  } catch (error) {
    if (isRejected(error) && error.code !== notReadyCode) {
      memory.dropLabelTask(client.account, number)
      if (error.status === 404) return undefined
    }
    throw error
  }
}

const labelPolls = 3

/**
 * The address of the file; undefined while OZON prints. Throws if OZON could not print the label.
 */
function fileAddressIn(task: Fields, number: string): string | undefined {
  const status = partOf(task, 'status')
  const state = textOrNone(status, 'code')
  if (state !== 'completed' && state !== 'error') return undefined
  const unprinted = unprintedIn(status).find((row) => textOrNone(row, 'posting_number') === number)
  if (state === 'completed' && unprinted === undefined) return textOf(task, 'file_url')
  const error = partOf(task, 'error')
  const code = textOrNone(error, 'code')
  const why = textOrNone(unprinted ?? error, 'message') ?? code
  throw new MarketplaceError('rejected', `OZON не напечатал этикетку заказа ${number}`, {
    code,
    remoteText: why === undefined ? undefined : excerpt(why, 200),
  })
}

/** Postings without a label; OZON names them with a reason, or by their numbers alone. */
function unprintedIn(status: Fields): readonly Fields[] {
  const numbers = textsOf(status, 'unprinted_postings')
  if (numbers.length > 0) return numbers.map((posting_number) => ({ posting_number }))
  return listOrNone(status, 'unprinted_postings')
}

const notReady = /(?:not|n't)[ _]ready/i
/**
 * Errors for postings that were packed a moment ago, and also for postings that cannot have a
 * label.
 */
const ambiguous = /INVALID_ARGUMENT|NO_POSTINGS_FOR_BATCH_DOWNLOAD/

/** The failure to show instead of a refusal to print, by the state of the posting. */
async function explainRefusedLabel(
  { client }: OzonContext,
  number: string,
  error: unknown,
): Promise<MarketplaceError | undefined> {
  if (!isRejected(error) || error.code === notReadyCode) return undefined
  if (!namesError(error, notReady) && !namesError(error, ambiguous)) return undefined
  const later = namesError(error, notReady) ? labelNotReady(number, 0, error) : undefined
  const response = await unlessRejected(client.posting(number))
  if (response === undefined) return later
  const posting = parsePosting(response)
  if (isPacked(posting.status)) return labelNotReady(number, 0, error)
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
 * OZON packs a posting when it joins a shipment, or at hand-over if the posting needs marks
 * of its units.
 */
function firstStepFor({ needsMarks }: Posting): string {
  return needsMarks
    ? 'этикетка будет, когда закроете отгрузку с ним: OZON ждёт данных его единиц'
    : 'сначала добавьте его в отгрузку'
}
