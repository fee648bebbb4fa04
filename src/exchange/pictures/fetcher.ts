import { openPoller, type Polling } from '../../platform/concurrency/poller.ts'
import type { Database } from '../../platform/db/connection.ts'
import { perform } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import type { WarningLog } from '../../platform/kernel/log.ts'
import { isOn } from '../../platform/process/switches.ts'
import {
  claimDuePictures,
  type DuePicture,
  keepFetchedPicture,
} from '../../warehouse/catalogue/card-pictures.ts'
import type { Egress } from '../webhooks/egress.ts'
import { type PictureHosts, pictureAddress, sizedAddress } from './addresses.ts'
import { downloadPicture } from './download.ts'

export interface PictureFetcherParts {
  readonly db: Database
  readonly clock: Clock
  readonly egress: Egress
  readonly hosts: PictureHosts
  readonly log: WarningLog
}

const pollMs = 2_000
const turnsMax = 8

/**
 * Fetches the pictures that cards name. Any number of processes may run it: a claim lasts longer than an attempt. What a stop
 * interrupts is due again after the first pause.
 */
export function openPictureFetcher(parts: PictureFetcherParts): Polling {
  const { db, clock, log } = parts
  const poller = openPoller<DuePicture>({
    everyMs: pollMs,
    look,
    onError: (error) => log.error({ err: error }, 'fetching pictures failed'),
  })

  async function look(): Promise<void> {
    const free = turnsMax - poller.running.length
    if (free === 0 || !(await isOn(db, 'marketplaces'))) return
    const claimed = await perform(db, clock, actor, (work) => claimDuePictures(work, free))
    for (const due of claimed) poller.begin(due, fetchPicture(parts, due))
  }

  return poller
}

const actor = { kind: 'service' } as const

async function fetchPicture(parts: PictureFetcherParts, due: DuePicture): Promise<void> {
  const { db, clock, log } = parts
  try {
    const picture = await downloadPicture(destinationOf(parts, due))
    await perform(db, clock, actor, (work) => keepFetchedPicture(work, due, picture))
  } catch (error) {
    if (!due.isLast) return
    const { clientId, barcode } = due
    log.warn({ err: error, clientId, barcode }, 'a picture of goods was given up')
  }
}

/** Only what the setting names as this machine is reached over http, or at an address that is not public. */
function destinationOf({ egress, hosts }: PictureFetcherParts, { url, attempts }: DuePicture) {
  const address = pictureAddress(sizedAddress(url, attempts), hosts)
  if (address === undefined) throw new Error('not an address of a known host')
  return egress.destination(address.url, address.isLocal ? 'test' : 'live')
}
