import { chmodSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../trial/settings.ts'

/**
 * A clock of its own for a process, which a fault can step: libfaketime of Debian's package `libfaketime` shows a process
 * the machine's time plus what stands in a file. Timers are left alone, as on a machine whose clock is set.
 */
export interface Clock {
  /** What the process is started with. */
  readonly settings: Settings
  /** Sets the clock apart from the machine's. The process sees it within a second. */
  readonly set: (apartSeconds: number) => void
}

/** The library, where the package is installed. */
export const [clockLibrary] = globSync('/usr/lib/*/faketime/libfaketime.so.1')

/** @param name of whose clock it is, in this folder */
export function openClock(folder: string, name: string): Clock {
  if (clockLibrary === undefined) {
    throw new Error('the clock is stepped by libfaketime: apt-get install libfaketime')
  }
  const path = join(folder, `clock-of-${name}`)
  const set = (apartSeconds: number) =>
    writeFileSync(path, apartSeconds < 0 ? `${apartSeconds}` : `+${apartSeconds}`)
  set(0)
  // The account of a database server reads it, too.
  chmodSync(path, 0o644)
  return {
    settings: {
      LD_PRELOAD: clockLibrary,
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // A killed process would leave its shared memory behind.
      FAKETIME_DISABLE_SHM: '1',
    },
    set,
  }
}
