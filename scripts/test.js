// Runs the tests: "npm test", or "npm test -- tests/integration/x.test.ts". Everything after "--" goes to "node --test".
// Tests beside the source and directly in tests/ need no database; for any other one a temporary server is started,
// unless TEST_DATABASE_URL names one to make databases on.
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Tests of whole processes, and of their failures, take minutes: "npm run failover".
const folders = ['acceptance', 'contract', 'integration', 'simulation']
const defaultFiles = ['tests/unit.ts', ...folders.map((folder) => `tests/${folder}/**/*.test.ts`)]
const given = process.argv.slice(2)
const named = given.filter((argument) => !argument.startsWith('-'))
const args = named.length > 0 ? given : [...given, ...defaultFiles]
const pure = /^(?:\.\/)?(?:src\/.+\.test|tests\/[^/]+\.test|tests\/unit)\.ts$/

// One more than the processors that CI has: some tests wait for timeouts and leases.
const processesMax = 3
// Every test file is a process; only the first one compiles what they share.
const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') }
const server =
  named.length > 0 && named.every((name) => pure.test(name)) ? undefined : await start()
const child = spawn(process.execPath, ['--test', `--test-concurrency=${processesMax}`, ...args], {
  stdio: 'inherit',
  env: { ...process.env, ...(server?.environment ?? compileCache) },
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

async function start() {
  const { startTestServer } = await import('../tests/support/server.ts')
  const { StartError } = await import('../src/kernel/start-error.ts')
  return startTestServer(process.env.TEST_DATABASE_URL).catch((error) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  })
}
