import {
  closeSync,
  copyFileSync,
  fchownSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { lastLine } from './program.ts'

const bytesMax = 10 * 1024 * 1024

/** Where the server of a data directory writes its log; with the one before it, two files of about 10 MB at most. */
export function serverLogPath(dataDir: string): string {
  return join(dataDir, 'postgres.log')
}

/** Opens the log for a server to append to, shortened if need be, for its reader alone. Close it after the spawn. */
export function openServerLog(dataDir: string): number {
  trimServerLog(dataDir)
  const file = openSync(serverLogPath(dataDir), 'a', 0o600)
  // Made by root, it must stay writable for the owner of the data directory, who may be the next to start the server.
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(dataDir)
    fchownSync(file, uid, gid)
  }
  return file
}

/** Sets a log that has grown too long aside and empties it in place: the server keeps the file open for appending. */
export function trimServerLog(dataDir: string): void {
  const path = serverLogPath(dataDir)
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < bytesMax) return
  copyFileSync(path, `${path}.1`)
  truncateSync(path)
}

/** Why the server last gave up, in its own words. */
export function lastComplaint(dataDir: string): string {
  const line = lastLine(readFileSync(serverLogPath(dataDir), 'utf8').slice(-10_000))
  return line ?? 'it wrote nothing to its log'
}

/** Runs `use` with the log open. */
export async function withServerLog(
  dataDir: string,
  use: (file: number) => Promise<void>,
): Promise<void> {
  const file = openServerLog(dataDir)
  try {
    await use(file)
  } finally {
    closeSync(file)
  }
}
