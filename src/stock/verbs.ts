import type { Work } from '../db/work.ts'
import { invalidField } from '../kernel/errors.ts'
import { recordMovements } from './ledger.ts'

/** Corrections and investigations: the ledger entries that people make by hand. */

export interface Correction {
  readonly barcode: string
  /** Units to add (+) or take away (−); not 0. */
  readonly delta: number
  /** Code of the curated list, kind correction. */
  readonly reason: string
  readonly comment?: string
}

export async function correctStock(work: Work, clientId: string, entry: Correction): Promise<void> {
  if (entry.delta === 0) throw invalidField('delta', 'целое число, не 0')
  await refuseUnknownReason(work, entry.reason)
  await recordMovements(work, clientId, [{ kind: 'correction', ...entry }])
}

export interface HandEntry {
  readonly barcode: string
  /** 1 or more. */
  readonly units: number
  /** Code of the curated list, kind correction. */
  readonly reason: string
}

/** Units that are gone for good: broken, expired, lost. */
export async function writeOff(work: Work, clientId: string, entry: HandEntry): Promise<void> {
  const { barcode, units, reason } = entry
  await refuseUnknownReason(work, reason)
  await recordMovements(work, clientId, [{ kind: 'write_off', barcode, delta: -units, reason }])
}

/** Free units are set aside until it is clear whose or how many they are. They stay in quantity. */
export async function putInQuestion(work: Work, clientId: string, entry: HandEntry): Promise<void> {
  const { barcode, units, reason } = entry
  await refuseUnknownReason(work, reason)
  await recordMovements(work, clientId, [
    { kind: 'question', barcode, delta: 0, questionDelta: units, reason },
  ])
}

/** Ends an investigation: the units are free again, or leave the warehouse for good. */
export async function resolveQuestion(
  work: Work,
  clientId: string,
  entry: { barcode: string; units: number; outcome: 'found' | 'written_off' },
): Promise<void> {
  const { barcode, units, outcome } = entry
  await recordMovements(work, clientId, [
    outcome === 'found'
      ? { kind: 'question', barcode, delta: 0, questionDelta: -units }
      : { kind: 'write_off', barcode, delta: -units, questionDelta: -units },
  ])
}

async function refuseUnknownReason(work: Work, code: string): Promise<void> {
  const [reason] = await work.tx`
    select code from reasons where kind = 'correction' and code = ${code}`
  if (reason === undefined) throw invalidField('reason', `нет причины с кодом ${code}`)
}
