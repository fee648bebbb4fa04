// All tests that need no database, in one process: most take less time than a process takes to start.
import { globSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const paths = globSync(['src/**/*.test.ts', 'tests/*.test.ts'], { cwd: root })
for (const path of paths.toSorted()) await import(pathToFileURL(root + path).href)
