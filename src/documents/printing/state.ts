/**
 * States of a print job.
 *
 *   QUEUED --take--> PRINTING --finish--> PRINTED
 *     ^                | | ^ |
 *     +---give back----+ | +-+ keep          PRINTED, FAILED --again--> QUEUED
 *                        +---fail--> FAILED
 *   QUEUED --finish--> PRINTED, --fail--> FAILED: by hand, without a station
 *
 * A station page that prints holds a lease. When the lease ends without an outcome, the job is taken as if it were
 * QUEUED; after `attemptsMax` takes it is FAILED.
 */
export const printStatuses = ['QUEUED', 'PRINTING', 'PRINTED', 'FAILED'] as const
export type PrintStatus = (typeof printStatuses)[number]

export const printStatusRule =
  'QUEUED — ждёт станции, PRINTING — печатается, PRINTED — напечатано, FAILED — не напечатано.'

export const printStatusLabels: Readonly<Record<PrintStatus, string>> = {
  QUEUED: 'в очереди',
  PRINTING: 'печатается',
  PRINTED: 'напечатано',
  FAILED: 'не напечатано',
}

export const printVerbs = ['take', 'keep', 'giveBack', 'finish', 'fail', 'again'] as const
export type PrintVerb = (typeof printVerbs)[number]

const transitions: Readonly<
  Record<PrintVerb, { readonly from: readonly PrintStatus[]; readonly to: PrintStatus }>
> = {
  take: { from: ['QUEUED'], to: 'PRINTING' },
  keep: { from: ['PRINTING'], to: 'PRINTING' },
  giveBack: { from: ['PRINTING'], to: 'QUEUED' },
  finish: { from: ['QUEUED', 'PRINTING'], to: 'PRINTED' },
  fail: { from: ['QUEUED', 'PRINTING'], to: 'FAILED' },
  again: { from: ['PRINTED', 'FAILED'], to: 'QUEUED' },
}

/** The state after a verb; undefined where the state does not allow it. */
export function afterPrintVerb(status: PrintStatus, verb: PrintVerb): PrintStatus | undefined {
  const { from, to } = transitions[verb]
  return from.includes(status) ? to : undefined
}

/** The verb that leads from a status to a wanted one; undefined where none does. */
export function printVerbTo(status: PrintStatus, wanted: PrintStatus): PrintVerb | undefined {
  return printVerbs.find((verb) => afterPrintVerb(status, verb) === wanted)
}

/** How long a station page may print before another one takes the job. */
export const printLeaseSeconds = 60

/** Takes without an outcome after which a job is FAILED, so that a bad one does not hold up a station for ever. */
export const attemptsMax = 3
