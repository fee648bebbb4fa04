import { openPoller, type Polling } from '../../platform/concurrency/poller.ts'
import type { Database } from '../../platform/db/connection.ts'
import { perform } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import type { WarningLog } from '../../platform/kernel/log.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { isOn } from '../../platform/process/switches.ts'
import type { Channel } from './channel.ts'
import type { ChannelName } from './kinds.ts'
import {
  type ClaimedLetter,
  claimLetters,
  contentOf,
  type LetterOutcome,
  recordLetter,
} from './letters.ts'
import { findPerson } from './people.ts'
import { spreadNews } from './spread.ts'

export type Channels = Readonly<Partial<Record<ChannelName, Channel>>>

export interface NoticeSenderParts {
  readonly db: Database
  readonly clock: Clock
  /** Those that the settings open. */
  readonly channels: Channels
  /** Reads what people write to the bot; undefined without one. */
  readonly listen?: (() => Promise<void>) | undefined
  readonly log: WarningLog
}

const pollMs = 2_000
const turnsMax = 8

/**
 * Tells people the news: passes them on, and sends the letters that are due. Any number of processes may run it. While notices
 * are switched off bells go on and letters wait.
 */
export function openNoticeSender(parts: NoticeSenderParts): Polling {
  const { db, clock, channels, listen, log } = parts
  const names = Object.keys(channels) as ChannelName[]
  /** A channel that asked for a pause is left alone until then. */
  const pausedUntil = new Map<ChannelName, Instant>()
  const poller = openPoller<ClaimedLetter | 'bot'>({
    everyMs: pollMs,
    look,
    onError: (error) => log.error({ err: error }, 'telling people failed'),
  })

  async function look(): Promise<void> {
    while (!poller.isStopping) {
      if (!(await perform(db, clock, actor, (work) => spreadNews(work, names)))) break
    }
    if (names.length === 0 || !(await isOn(db, 'notices'))) return
    if (listen !== undefined && !poller.running.includes('bot')) poller.begin('bot', listen())
    const working = names.filter((name) => (pausedUntil.get(name) ?? 0) <= clock.now())
    const free = turnsMax - poller.running.length
    if (free <= 0 || working.length === 0) return
    const claimed = await perform(db, clock, actor, (work) => claimLetters(work, working, free))
    for (const letter of claimed) poller.begin(letter, sendOne(letter))
  }

  async function sendOne(letter: ClaimedLetter): Promise<void> {
    const outcome = await outcomeOf(letter)
    if (outcome.kind === 'later' && outcome.afterMs !== undefined) {
      pausedUntil.set(letter.channel, clock.now() + outcome.afterMs)
    }
    await perform(db, clock, actor, (work) => recordLetter(work, letter, outcome))
  }

  async function outcomeOf(letter: ClaimedLetter): Promise<LetterOutcome> {
    const [person, { notices, namesClients }] = await Promise.all([
      findPerson(db, letter.userId),
      contentOf(db, letter),
    ])
    const channel = channels[letter.channel]
    const isEmpty = letter.pace !== 'code' && notices.length === 0
    if (channel === undefined || isEmpty) return { kind: 'dropped' }
    return channel.send({ claimed: letter, person, notices, namesClients })
  }

  return poller
}

const actor = { kind: 'service' } as const
