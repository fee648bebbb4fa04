import { closeSync, constants, openSync } from 'node:fs'

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
