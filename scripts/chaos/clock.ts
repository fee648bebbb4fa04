import { existsSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../trial/settings.ts'

/**
 * A clock of the service's own that a fault can step: libfaketime of Debian's package `libfaketime` shows a process the
 * machine's time plus what stands in a file. Timers are left alone, as on a machine whose clock is set.
 */
export interface Clock {
  /** What the service's process is started with. */
  readonly settings: Settings
  /** Sets the clock apart from the machine's. The service sees it within a second. */
  readonly set: (apartSeconds: number) => void
}

export function openClock(folder: string): Clock {
  const [library] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
  if (library === undefined || !existsSync(library)) {
    throw new Error('the clock is stepped by libfaketime: apt-get install libfaketime')
  }
  const path = join(folder, 'clock')
  const set = (apartSeconds: number) =>
    writeFileSync(path, apartSeconds < 0 ? `${apartSeconds}` : `+${apartSeconds}`)
  set(0)
  return {
    settings: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
  }
}
