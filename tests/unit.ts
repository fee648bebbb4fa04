// All tests that need no database, in one process: most take less time than a process takes to start.
import { globSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const paths = globSync(['src/**/*.test.ts', 'web/**/*.test.ts', 'tests/*.test.ts'], { cwd: root })
for (const path of paths.toSorted()) {
  await import(pathToFileURL(root + path).href)
  // Lets the tests of this file run before the next one is loaded: the first results come at once.
  await setImmediate()
}
