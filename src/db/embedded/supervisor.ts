/**
 * The PostgreSQL that the service brings along, for when no DATABASE_URL names another. It lives in DATA_DIR and
 * belongs to the processes that use it, of which the last one stops it.
 *
 * Promises:
 * - One service per data directory; any number of commands beside it or alone. A second service is refused.
 * - What was committed stays, through any kill and any power cut: the server flushes every commit to the disk.
 * - Nobody but this user (and root) can connect: the only way in is a Unix socket in a directory closed to others.
 * - A server that was left running by a killed process is taken over; one that was killed itself is started again, by
 *   the next start or, while somebody uses it, at once. Clients then get connection errors for a moment.
 * - The server never gets the signals of the terminal or of the service's process group.
 *
 * They end where two machines or containers share a data directory: nothing here sees processes of another system.
 *
 * A user's life: joining (find the server or start it, connect, take the locks) -> member -> on a lost connection
 * joining again -> on stop leaving; the last to leave shuts the server down.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../../kernel/start-error.ts'
import type { DatabaseTarget } from '../connection.ts'
import { dropOtherCopies } from './binaries.ts'
import { type Cluster, databaseName, prepareCluster, roleName } from './cluster.ts'
import { isServerAway, joinServer, type MemberKind, type Membership } from './membership.ts'
import {
  findPostmaster,
  isGone,
  killOrphans,
  launchPostmaster,
  type Postmaster,
  port,
  type ServerSettings,
  shutDownPostmaster,
} from './postmaster.ts'
import { lastComplaint, serverLogPath, trimServerLog, withServerLog } from './server-log.ts'
import { openSocketDirectory, type SocketDirectory } from './socket-directory.ts'

export interface EmbeddedOptions {
  /** Made, for this user alone, unless it exists. */
  readonly dataDir: string
  readonly as: MemberKind
  /** Is told what happens, a line at a time, when something beyond the ordinary does. */
  readonly log?: (line: string) => void
  /** Server settings that differ from ours; they count only for a server that this call starts. For tests. */
  readonly settings?: ServerSettings
}

export interface EmbeddedServer {
  /** Good in this process, until `stop`. */
  readonly target: DatabaseTarget
  /**
   * Gives the server up and, when nobody else uses it, returns when it is gone. To be called once the caller's own
   * connections are closed; any number of times. A process that ends without it leaves the server running.
   */
  stop(): Promise<void>
}

const launchesMax = 5
// What a killed server leaves in the kernel (its shared memory) may take a moment to go.
const relaunchPauseMs = 50
const startMsMax = 10 * 60_000
const pollMs = 10
const rejoinPauseMs = 1_000
const trimEveryMs = 60_000

/**
 * Joins the server of the data directory, which is created and started as needed.
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
  const cluster = await prepareCluster(options.dataDir, log)
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
  #trimming: NodeJS.Timeout | undefined
  #stopped: Promise<void> | undefined

  constructor(
    cluster: Cluster,
    directory: SocketDirectory,
    { as, log = () => {}, settings = {} }: EmbeddedOptions,
  ) {
    this.#cluster = cluster
    this.#directory = directory
    this.#kind = as
    this.#log = log
    this.#settings = settings
    this.target = {
      socketDirectory: directory.path,
      port,
      user: roleName,
      database: databaseName,
    }
  }

  async start(): Promise<void> {
    const membership = await this.#join()
    this.#keep(membership)
    this.#trimming = setInterval(() => this.#trimLog(), trimEveryMs).unref()
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  #keep(membership: Membership): void {
    this.#membership = Promise.resolve(membership)
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
    clearInterval(this.#trimming)
    const membership = await this.#membership
    try {
      if (membership !== undefined) await this.#leave(membership)
    } finally {
      this.#directory.close()
    }
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
    const deadline = performance.now() + startMsMax
    for (;;) {
      const server = await this.#ensureServer(deadline)
      const membership = await this.#tryToJoin()
      if (membership === 'refused') throw this.#inUse()
      if (membership !== 'away') {
        // A lock may have been granted because its holder ended in the shutdown that this connection is about to end
        // in, too. The server says in its lock file that it stops before it ends anybody.
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

  /** Returns when a server of the cluster accepts connections, as far as its lock file tells. */
  async #ensureServer(deadline: number): Promise<Postmaster> {
    let launches = 0
    while (performance.now() < deadline) {
      const found = findPostmaster(this.#cluster)
      if (found?.status === 'ready') return found
      if (found === undefined) {
        if (launches === launchesMax) break
        await sleep(launches * relaunchPauseMs)
        launches++
        await this.#launch()
      } else if (found.status === 'stopping') {
        await isGone(this.#cluster, found.pid, deadline - performance.now())
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
