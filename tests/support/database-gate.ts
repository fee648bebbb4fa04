import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import type { DatabaseTarget } from '../../src/platform/db/connections/address.ts'

/**
 * - open: all bytes pass;
 * - frozen: connections are accepted and nothing passes until the gate is open again, as with a machine that is stopped;
 * - shut: connections are reset.
 */
type GateState = 'open' | 'frozen' | 'shut'

export interface DatabaseGate {
  /** The database behind the gate. */
  readonly target: DatabaseTarget
  set(state: GateState): void
  /** Nothing passes any more on the connections that are there; new ones pass, as where a firewall has forgotten the old. */
  silence(): void
  /** Freezes at the next bytes of a client that contain the text. */
  freezeAt(text: string, trap?: TrapOptions): void
  /** Waits until the bytes have come at which it freezes. */
  frozen(): Promise<void>
}

interface TrapOptions {
  /** Only on a connection that has carried this text. */
  readonly afterwards?: string
  /** The bytes themselves pass, so that only their answer stays away. */
  readonly passes?: boolean
  /** Their connection becomes silent for good, and others pass. */
  readonly alone?: boolean
}

/** A way to a database that can be closed, until the tests of the file end. */
export async function openDatabaseGate(target: DatabaseTarget): Promise<DatabaseGate> {
  let state: GateState = 'open'
  let trap: (TrapOptions & { readonly text: string }) | undefined
  const pairs = new Set<readonly [Socket, Socket]>()
  const silent = new Set<Socket>()
  const held: (() => void)[] = []
  let trapped = Promise.withResolvers<void>()

  function pass(from: Socket, to: Socket, isClient: boolean): void {
    let isMarked = false
    from.on('data', (bytes: Buffer) => {
      if (trap?.afterwards !== undefined) isMarked ||= bytes.includes(trap.afterwards)
      const isMine = trap !== undefined && (isMarked || trap.afterwards === undefined)
      const isTrapped = isClient && isMine && bytes.includes(trap?.text ?? '')
      if (isTrapped && trap?.alone) silent.add(from).add(to)
      else if (isTrapped) state = 'frozen'
      const write = () => void to.write(bytes)
      const passes = isTrapped ? trap?.passes : state === 'open' && !silent.has(from)
      if (passes) write()
      else if (!silent.has(from)) held.push(write)
      if (!isTrapped) return
      trap = undefined
      trapped.resolve()
    })
    to.on('error', () => {})
    from.on('error', () => {})
    from.on('close', () => {
      silent.delete(from)
      to.destroy()
    })
  }

  const server = createServer((client) => {
    client.on('error', () => {})
    if (state === 'shut') return client.resetAndDestroy()
    const pair = [client, connectTo(target)] as const
    pairs.add(pair)
    pass(pair[0], pair[1], true)
    pass(pair[1], pair[0], false)
    client.on('close', () => pairs.delete(pair))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    for (const [client] of pairs) client.destroy()
  })
  const { port } = server.address() as AddressInfo
  return {
    target: { url: addressBehind(target, port) },
    set(next) {
      state = next
      if (next === 'open') for (const write of held.splice(0)) write()
      if (next === 'shut') for (const [client] of pairs) client.resetAndDestroy()
    },
    silence() {
      for (const sockets of pairs) for (const socket of sockets) silent.add(socket)
    },
    freezeAt: (text, options) => {
      trap = { text, ...options }
      trapped = Promise.withResolvers<void>()
    },
    frozen: () => trapped.promise,
  }
}

function connectTo(target: DatabaseTarget): Socket {
  if (!('url' in target)) return connect(join(target.socketDirectory, `.s.PGSQL.${target.port}`))
  const { hostname, port } = new URL(target.url)
  return connect(Number(port || 5432), hostname)
}

function addressBehind(target: DatabaseTarget, port: number): string {
  if (!('url' in target)) return `postgres://${target.user}@127.0.0.1:${port}/${target.database}`
  const address = new URL(target.url)
  address.host = `127.0.0.1:${port}`
  return address.href
}
