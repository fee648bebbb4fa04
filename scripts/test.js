// Runs the tests: "npm test", or "npm test -- tests/integration/x.test.ts". Everything after "--" goes to "node --test".
// Tests beside the source and directly in tests/ need no database; for any other one a temporary server is started,
// unless TEST_DATABASE_URL names one to make databases on.
import { spawn } from 'node:child_process'
import { globSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

// Not here, because they take minutes or need more than npm ci brings: pages ("npm run browser"), whole processes, programs of others,
// and what plays days of a warehouse or a sandbox ("npm run failover").
// What takes longest begins first, so that the processes end together.
const folders = ['acceptance', 'integration', 'contract']
const defaultFiles = ['tests/unit.ts', ...folders.map((folder) => `tests/${folder}/*.test.ts`)]
const given = process.argv.slice(2)
const options = given.filter((argument) => argument.startsWith('-'))
const named = given.filter((argument) => !argument.startsWith('-'))
// npm's scripts pass patterns; files that are named take their place: "npm run browser -- tests/browser/x.test.ts" runs one file.
const files = named.filter((name) => !/[*{]/.test(name))
const wanted = files.length > 0 ? files : named.length > 0 ? named : defaultFiles
const pure = /^(?:\.\/)?(?:(?:src|web)\/.+\.test|tests\/[^/]+\.test|tests\/unit)\.ts$/

// Two for each processor that CI has: tests wait for the database, for timeouts and for leases.
const processesMax = 4
// To start a process, load the service and have the engine compile what runs often takes four seconds of processor time, so the files of
// a folder share some. Larger shares would save little and hold more databases and connections, which end with their process. A file of
// tests/failover/ waits for processes for minutes, and one of tests/browser/ has pages of its own open.
const filesOfProcessMax = { failover: 1, browser: 10, others: 25 }
// A simulation takes as many minutes more as it is given.
const minutesOfTestMax = 15 + Number(process.env.MINUTES ?? 0)
const minutesMax = 40 + Number(process.env.MINUTES ?? 0)
// Test processes share what they compile, also with those of the next run.
const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') }

const paths = wanted.flatMap(filesNamed)
const server =
  named.length > 0 && named.every((name) => pure.test(name)) ? undefined : await start()
const entries = server ? writeEntries(paths, server.environment.TMPDIR) : paths
const limits = [
  `--test-concurrency=${processesMax}`,
  `--test-timeout=${minutesOfTestMax * 60_000}`,
  // Test processes get it too: with more room for young objects they spend less time on collecting them.
  '--max-semi-space-size=64',
]
const child = spawn(process.execPath, ['--test', ...limits, ...options, ...entries], {
  stdio: 'inherit',
  env: { ...process.env, ...compileCache, ...server?.environment },
  // The runner then prints the tests that still run.
  timeout: minutesMax * 60_000,
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
await server?.stop()

/** Writes a file for each process, which loads the test files that run in it. The runner goes by their names. */
function writeEntries(paths, directory) {
  const loader = `import { loadSlice } from '${import.meta.resolve('../tests/support/slice.ts')}'`
  return slicesOf(paths).map((slice, at) => {
    const first = slice[0].replace('tests/', '').replaceAll('/', '-').replace('.test.ts', '')
    const more = slice.length > 1 ? `-and-${slice.length - 1}-more` : ''
    const entry = join(directory, `${String(at).padStart(3, '0')}-${first}${more}.mjs`)
    writeFileSync(entry, `${loader}\nawait loadSlice(${JSON.stringify(slice)})\n`)
    return entry
  })
}

/** The files of each folder, some to a process. */
function slicesOf(paths) {
  return [...Map.groupBy(paths, dirname)].flatMap(([folder, files]) => {
    const size = filesOfProcessMax[basename(folder)] ?? filesOfProcessMax.others
    const count = Math.ceil(files.length / size)
    return Array.from({ length: count }, (_, at) => files.filter((_, n) => n % count === at))
  })
}

function filesNamed(pattern) {
  const found = globSync(pattern)
  if (found.length > 0) return found
  console.error(`no test file is called ${pattern}`)
  process.exit(1)
}

async function start() {
  const { startTestServer } = await import('../tests/support/server.ts')
  const { StartError } = await import('../src/platform/kernel/errors.ts')
  return startTestServer(process.env.TEST_DATABASE_URL).catch((error) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  })
}
