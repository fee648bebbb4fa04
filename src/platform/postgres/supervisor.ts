/**
 * Runs the embedded PostgreSQL when DATABASE_URL names no other one. Its data are in DATA_DIR. The processes that use
 * it share it, and the last one stops it.
 *
 * Guarantees:
 * - One service per data directory, and any number of commands with or without it. A second service is refused.
 * - Committed data survive every kill and power failure: the server flushes each commit to disk.
 * - Only this user and root can connect: the only way in is a Unix socket in a directory that is closed to others.
 * - A server that a killed process left behind is reused. A killed server is started again by the next start, or at
 *   once while a process uses it; its clients get connection errors meanwhile.
 * - Signals of the terminal or of the service's process group never reach the server. One that somebody
 *   else shuts down is started again while a process uses it.
 *
 * The guarantees do not hold when two machines or containers share a data directory, because neither sees the
 * processes of the other.
 *
 * States of a user: joining (find or start the server, connect, take the locks) -> member -> joining again after a
 * lost connection -> leaving after stop; the last one to leave shuts the server down.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseTarget } from '../db/connections/address.ts'
import { StartError } from '../kernel/errors.ts'
import { dropOtherCopies } from './binaries.ts'
import { type Cluster, databaseName, prepareCluster, roleName } from './cluster.ts'
import { isServerAway, joinServer, type MemberKind, type Membership } from './membership.ts'
import {
  endPostmaster,
  findPostmaster,
  finishShutDown,
  killOrphans,
  launchPostmaster,
  type Postmaster,
  port,
  type ServerSettings,
  shutDownPostmaster,
} from './postmaster.ts'
import { openSocketDirectory, type SocketDirectory } from './processes.ts'
import { lastComplaint, serverLogPath, trimServerLog, withServerLog } from './server-log.ts'

export interface EmbeddedOptions {
  /** Created with access for this user only, unless it exists. */
  readonly dataDir: string
  readonly as: MemberKind
  /** Receives a line about each unusual event. */
  readonly log?: (line: string) => void
  /** Breaks the start off: what it has started is ended. */
  readonly stop?: AbortSignal | undefined
  /** Server settings that replace ours, for a server that this call starts. For tests. */
  readonly settings?: ServerSettings
}

export interface EmbeddedServer {
  /** Valid in this process until `stop`. */
  readonly target: DatabaseTarget
  /**
   * Leaves the server and, if nobody else uses it, waits until it has stopped. Call it after closing your own
   * connections; repeated calls do nothing. A service that exits without it ends the server at once; a killed process leaves
   * it running.
   */
  stop(): Promise<void>
}

const launchesMax = 5
// The kernel may need a moment to free the shared memory of a killed server.
const relaunchPauseMs = 50
const startMsMax = 10 * 60_000
const pollMs = 10
const rejoinPauseMs = 1_000
const trimEveryMs = 60_000
const watchEveryMs = 1_000

/**
 * Joins the server of the data directory; creates and starts it if necessary.
 *
 * @throws StartError when DATA_DIR can't be used, another service uses it, or PostgreSQL can't run here
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    return await start(options)
  } catch (error) {
    if (!isFileError(error)) throw error
    throw new StartError(`DATA_DIR ${options.dataDir} can't be used: ${error.message}`, {
      cause: error,
    })
  }
}

async function start(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const log = options.log ?? (() => {})
  const cluster = await prepareCluster(options.dataDir, log, options.stop)
  const directory = openSocketDirectory(cluster.path)
  const supervisor = new Supervisor(cluster, directory, { ...options, log })
  try {
    await supervisor.start()
  } catch (error) {
    directory.close()
    throw error
  }
  return { target: supervisor.target, stop: () => supervisor.stop() }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

class Supervisor {
  readonly target: DatabaseTarget
  readonly #cluster: Cluster
  readonly #directory: SocketDirectory
  readonly #kind: MemberKind
  readonly #log: (line: string) => void
  readonly #settings: ServerSettings
  #membership: Promise<Membership | undefined> = Promise.resolve(undefined)
  #timers: readonly NodeJS.Timeout[] = []
  readonly #leaving = new AbortController()
  /** Aborts when nothing is to be started any more. */
  readonly #signal: AbortSignal
  /** Whether the server that is being joined was started here. */
  #launched = false
  #joined = false
  #stopped: Promise<void> | undefined

  constructor(
    cluster: Cluster,
    directory: SocketDirectory,
    { as, log = () => {}, settings = {}, stop }: EmbeddedOptions,
  ) {
    this.#cluster = cluster
    this.#directory = directory
    this.#kind = as
    this.#log = log
    this.#settings = settings
    this.#signal = AbortSignal.any([this.#leaving.signal, ...(stop ? [stop] : [])])
    this.target = {
      socketDirectory: directory.path,
      port,
      user: roleName,
      database: databaseName,
    }
  }

  async start(): Promise<void> {
    process.once('exit', this.#onExit)
    try {
      this.#keep(await this.#join())
    } catch (error) {
      process.off('exit', this.#onExit)
      throw error
    }
    this.#timers = [
      setInterval(() => this.#trimLog(), trimEveryMs).unref(),
      setInterval(() => finishShutDown(this.#cluster), watchEveryMs).unref(),
    ]
  }

  /** The service is the last to use its server, but for commands, which start it again. */
  readonly #onExit = () => {
    if (this.#kind === 'service' && (this.#joined || this.#launched)) endPostmaster(this.#cluster)
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  #keep(membership: Membership): void {
    this.#membership = Promise.resolve(membership)
    this.#joined = true
    void membership.lost.then(() => {
      if (this.#stopped !== undefined) return
      this.#membership = this.#rejoin()
      void membership.close()
    })
  }

  async #rejoin(): Promise<Membership | undefined> {
    this.#log('the connection to the database server was lost; starting it again if it is gone')
    let reported = ''
    while (this.#stopped === undefined) {
      try {
        const membership = await this.#join()
        this.#log('the database server is there again')
        this.#keep(membership)
        return membership
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        if (reason !== reported) this.#log(`the database server is not there: ${reason}`)
        reported = reason
        await sleep(rejoinPauseMs)
      }
    }
    return undefined
  }

  #trimLog(): void {
    try {
      trimServerLog(this.#cluster.dataDir)
    } catch (error) {
      this.#log(`the log of the database server can't be shortened: ${error}`)
    }
  }

  async #stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#leaving.abort()
    const membership = await this.#membership
    try {
      if (membership !== undefined) await this.#leave(membership)
      const left = findPostmaster(this.#cluster)
      if (left?.status === 'stopping') await shutDownPostmaster(this.#cluster)
    } finally {
      this.#directory.close()
    }
    process.off('exit', this.#onExit)
  }

  async #leave(membership: Membership): Promise<void> {
    try {
      if (await membership.leave()) await shutDownPostmaster(this.#cluster)
    } catch (error) {
      if (!isServerAway(error)) throw error
    } finally {
      await membership.close()
    }
  }

  async #join(): Promise<Membership> {
    this.#launched = false
    try {
      return await this.#joinOnceReady()
    } catch (error) {
      if (this.#signal.aborted && this.#launched) await shutDownPostmaster(this.#cluster)
      throw error
    }
  }

  async #joinOnceReady(): Promise<Membership> {
    const deadline = performance.now() + startMsMax
    for (;;) {
      const server = await this.#ensureServer(deadline)
      const membership = await this.#tryToJoin()
      if (membership === 'refused') throw this.#inUse()
      if (membership !== 'away') {
        // During a shutdown the server grants locks of connections that it has just ended, and is about to end this
        // one. Its lock file announces the shutdown before it ends any connection.
        const now = findPostmaster(this.#cluster)
        if (now?.pid === server.pid && now.status === 'ready') return membership
        await membership.close()
      }
      await sleep(pollMs)
    }
  }

  async #tryToJoin(): Promise<Membership | 'refused' | 'away'> {
    try {
      return (await joinServer(this.target, this.#kind)) ?? 'refused'
    } catch (error) {
      if (isServerAway(error)) return 'away'
      throw error
    }
  }

  /** Waits until the lock file says that a server of the cluster accepts connections. */
  async #ensureServer(deadline: number): Promise<Postmaster> {
    let launches = 0
    while (performance.now() < deadline) {
      this.#signal.throwIfAborted()
      const found = findPostmaster(this.#cluster)
      if (found?.status === 'ready') return found
      if (found === undefined) {
        if (launches === launchesMax) break
        await sleep(launches * relaunchPauseMs)
        launches++
        this.#launched = true
        await this.#launch()
      } else {
        await sleep(pollMs)
      }
    }
    throw this.#failure()
  }

  async #launch(): Promise<void> {
    dropOtherCopies(this.#cluster.binaries)
    const killed = killOrphans(this.#cluster)
    if (killed > 0) this.#log(`ended ${killed} processes that a killed database server left behind`)
    await withServerLog(this.#cluster.dataDir, (file) =>
      launchPostmaster(this.#cluster, file, this.#settings),
    )
  }

  #inUse(): StartError {
    return new StartError(
      `DATA_DIR ${this.#cluster.dataDir} is in use by another service; stop that one or choose another directory`,
    )
  }

  #failure(): StartError {
    const { dataDir } = this.#cluster
    return new StartError(
      `the database server in DATA_DIR ${dataDir} does not start: ${lastComplaint(dataDir)} (its log is ${serverLogPath(dataDir)})`,
    )
  }
}
