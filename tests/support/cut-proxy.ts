import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** An address in front of a service whose connections a test can cut. */
export interface CutProxy {
  readonly baseUrl: string
  /** Resets all connections that are open now. */
  cut(): void
  /** Until `revive`, connections stay open and nothing comes through, as in a dead Wi-Fi. */
  silence(): void
  /** Resets the silent connections and lets new ones through. */
  revive(): void
  /** Resolves when this many requests without a body have come so far. */
  asked(count: number): Promise<void>
}

export async function openCutProxy(target: string): Promise<CutProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let asked = 0
  let isSilent = false
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    if (!isSilent) near.pipe(far).pipe(near)
    near.on('data', () => {
      asked++
      server.emit('asked')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  after(() => {
    server.close()
    cut()
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    silence() {
      isSilent = true
      for (const socket of sockets) socket.unpipe()
    },
    revive() {
      isSilent = false
      cut()
    },
    async asked(count) {
      while (asked < count) await once(server, 'asked')
    },
  }
}
