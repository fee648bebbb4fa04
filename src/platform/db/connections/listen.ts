/**
 * Notifications of a channel, on a connection of their own. When it is lost another is made, however long that takes.
 * Notifications of the meantime are lost, and so `onlisten` is called each time that listening has begun, for catching
 * up.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { Identifier } from '../statements/fragment.ts'
import { answeredInTime, type ClientSettings, openSession } from './client.ts'
import { connectFailure, ended } from './errors.ts'
import { command, type Session } from './session.ts'

export interface Listening {
  /** Gives the connection up: its server has gone without a word, which a connection that only waits would not notice. */
  reconnect(): void
  unlisten(): Promise<void>
}

export interface ChannelListener {
  readonly channel: string
  readonly onnotify: (payload: string) => void
  readonly onlisten: () => void
}

/** @throws when the first connection can't be made; at once where the database is known to be away */
export async function listen(
  settings: ClientSettings,
  listener: ChannelListener,
): Promise<Listening> {
  const { away } = settings.hosts.presence
  if (away !== undefined) throw away
  const aborter = new AbortController()
  let session = await subscribe(settings, listener, aborter.signal)
  const following = follow()

  async function follow(): Promise<void> {
    while (!aborter.signal.aborted) {
      await session.closed
      session = (await again()) ?? session
      // The end may have come while this one was made.
      if (aborter.signal.aborted) session.destroy(ended('listening'))
    }
  }

  /** Undefined once listening has ended. */
  async function again(): Promise<Session | undefined> {
    while (!aborter.signal.aborted) {
      try {
        await sleep(pauseMs(), undefined, { signal: aborter.signal })
        return await subscribe(settings, listener, aborter.signal)
      } catch {
        // The server is still away, or this is the end.
      }
    }
    return undefined
  }

  return {
    reconnect() {
      session.destroy(ended('listening'))
    },
    async unlisten() {
      aborter.abort()
      session.destroy(ended('listening'))
      await following
    },
  }
}

/** Processes that lost their connections at the same moment come back one after the other. */
const pauseMs = () => 50 + Math.random() * 200

async function subscribe(
  settings: ClientSettings,
  { channel, onnotify, onlisten }: ChannelListener,
  signal: AbortSignal,
): Promise<Session> {
  const session = await openSession(settings, signal).catch((error: unknown) => {
    throw error instanceof Error ? connectFailure(error) : error
  })
  session.client.on('notification', ({ payload }) => onnotify(payload ?? ''))
  try {
    const text = `listen ${new Identifier(channel).quoted}`
    await answeredInTime(session, () => session.execute(command(text)))
  } catch (error) {
    session.destroy(ended('listening'))
    throw error instanceof Error ? connectFailure(error) : error
  }
  onlisten()
  return session
}
