import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync, readFileSync } from 'node:fs'

/** Whether a process with this number exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * The command line of a process, its parts separated by blanks; empty when the process has ended, even if its parent has
 * not collected it yet. Nothing else of another user's process is readable to a root without capabilities, as in a
 * container.
 */
export function commandLine(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

/** The processes that look like server processes of the cluster and whose postmaster has ended. Linux only. */
export function findOrphans(identity: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .filter((pid) => commandLine(pid).startsWith(`postgres: ${identity}: `))
    .filter((pid) => !commandLine(parentOf(pid)).includes(`cluster_name=${identity}`))
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

export interface SocketDirectory {
  /** The name to connect by; good in this process, until it is closed. */
  readonly path: string
  close(): void
}

/**
 * Gives the directory of a socket a short name. The kernel takes no more than 107 bytes of a socket's path, which a
 * deep data directory exceeds; so on Linux the directory is held open and named by its descriptor.
 */
export function openSocketDirectory(directory: string): SocketDirectory {
  if (process.platform !== 'linux') return { path: directory, close: () => {} }

  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY)
  let open = true
  return {
    path: `/proc/self/fd/${descriptor}`,
    close() {
      if (open) closeSync(descriptor)
      open = false
    },
  }
}
