// Runs the tests: "npm test", or "npm test -- tests/integration/x.test.ts". Everything after "--" goes to "node --test".
// Tests beside the source and directly in tests/ need no database; for any other one a temporary server is started,
// unless TEST_DATABASE_URL names one to make databases on.
import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { groupTests } from './test-groups.js'

// Apart, since they take minutes: "npm run browser", and whole processes and their failures, "npm run failover".
const folders = ['acceptance', 'contract', 'integration', 'simulation', 'tools']
const defaultFiles = ['tests/unit.ts', ...folders.map((folder) => `tests/${folder}/*.test.ts`)]
const given = process.argv.slice(2)
const options = given.filter((argument) => argument.startsWith('-'))
const named = given.filter((argument) => !argument.startsWith('-'))
// Files are run instead of the patterns of the script: "npm run browser -- tests/browser/x.test.ts" runs one file.
const files = named.filter((name) => !name.includes('*'))
const wanted = files.length > 0 ? files : named.length > 0 ? named : defaultFiles
const pure = /^(?:\.\/)?(?:(?:src|web)\/.+\.test|tests\/[^/]+\.test|tests\/unit)\.ts$/

// One more than the processors that CI has: some tests wait for timeouts and leases.
const processesMax = 3
const costliestMax = 10
// Test processes share what they compile.
const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') }
const paths = wanted.flatMap(filesNamed)
const server =
  named.length > 0 && named.every((name) => pure.test(name)) ? undefined : await start()
const groups = server ? groupTests(paths, server.environment.TMPDIR) : paths
const concurrency = `--test-concurrency=${processesMax}`
const costs = server && join(server.environment.TMPDIR, 'costs')
const watched = costs ? ['--import', import.meta.resolve('./test-process.js')] : []
const child = spawn(process.execPath, [...watched, '--test', concurrency, ...options, ...groups], {
  stdio: 'inherit',
  env: { ...process.env, ...(server?.environment ?? compileCache), SKLAD_TEST_COSTS: costs },
})
// The terminal sends Ctrl-C to the tests as well; the server is stopped when they have ended.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))

process.exitCode = await new Promise((resolve) => {
  child.once('error', (error) => {
    console.error(error)
    resolve(1)
  })
  child.once('exit', (code) => resolve(code ?? 1))
})
if (costs && groups.length > costliestMax) printCostliest(costs)
await server?.stop()

function printCostliest(path) {
  if (!existsSync(path)) return
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const costliest = lines.toSorted((a, b) => Number.parseFloat(b) - Number.parseFloat(a))
  console.log('The most processor time, without that of the database:')
  for (const line of costliest.slice(0, costliestMax)) {
    const [seconds, unit, file] = line.split(' ')
    console.log(`${seconds.padStart(6)} ${unit} ${relative('', file)}`)
  }
}

function filesNamed(pattern) {
  const found = globSync(pattern)
  if (found.length > 0) return found
  console.error(`no test file is called ${pattern}`)
  process.exit(1)
}

async function start() {
  const { startTestServer } = await import('../tests/support/server.ts')
  const { StartError } = await import('../src/platform/kernel/start-error.ts')
  return startTestServer(process.env.TEST_DATABASE_URL).catch((error) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  })
}
