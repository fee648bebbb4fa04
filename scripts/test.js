// Runs the tests against one temporary database server: "npm test", or "npm test -- tests/integration/x.test.ts".
// Everything after "--" goes to "node --test". With TEST_DATABASE_URL set, databases are made on that server instead.
import { spawn } from 'node:child_process'
import { StartError } from '../src/kernel/start-error.ts'
import { startTestServer } from '../tests/support/server.ts'

const defaultFiles = ['src/**/*.test.ts', 'tests/**/*.test.ts']
const given = process.argv.slice(2)
const args = given.some((argument) => !argument.startsWith('-'))
  ? given
  : [...given, ...defaultFiles]

const server = await startTestServer(process.env.TEST_DATABASE_URL).catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
})
const child = spawn(process.execPath, ['--test', '--test-concurrency=2', ...args], {
  stdio: 'inherit',
  env: { ...process.env, ...server.environment },
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
await server.stop()
