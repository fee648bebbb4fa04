import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A free port for a process that needs a fixed one. It lies below the ports that the system gives to
 * outgoing connections, so no connection takes it before the process listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      return port
    } catch {
      // Taken: the next one.
    } finally {
      server.close()
    }
  }
}
