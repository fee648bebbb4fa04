import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFolder } from './debian-server.ts'
import { freePort } from './free-port.ts'
import type { Nodes } from './patroni.ts'

const program = '/usr/sbin/haproxy'

export const hasHaproxy = existsSync(program)

/** haproxy in front of the nodes, with the configuration of an operator. Returns its port once it leads to the primary. */
export async function startHaproxy(template: string, { ports, rests }: Nodes): Promise<number> {
  const port = await freePort()
  const here = ports.reduce(
    (text, server, index) =>
      text.replace(
        `10.0.0.${index + 1}:5432 check port 8008`,
        `127.0.0.1:${server} check port ${rests[index]}`,
      ),
    template.replace('127.0.0.1:5000', `127.0.0.1:${port}`),
  )
  const path = `${openFolder().make('haproxy')}/haproxy.cfg`
  writeFileSync(path, here)
  const child = spawn(program, ['-db', '-f', path], { stdio: 'ignore' })
  after(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  while (!(await keeps(port))) {
    if (child.exitCode !== null) throw new Error(`haproxy refuses ${path}`)
    await sleep(100)
  }
  return port
}

const keptMs = 500

/** Without a primary haproxy closes each connection at once; PostgreSQL waits for the first word. */
async function keeps(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    const closed = once(socket, 'close').then(() => false)
    return await Promise.race([closed, sleep(keptMs, true)])
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
