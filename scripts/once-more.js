// Runs tests as test.js does, and those that failed once more: on a busy machine a browser may answer later than a test waits.
// The first failure stays in the output, and the last lines name what passed only the second time. Named files run once.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const given = process.argv.slice(2)
const files = given.filter((argument) => !argument.startsWith('-') && !argument.includes('*'))
const directory = mkdtempSync(join(tmpdir(), 'sklad-once-more-'))
const attempts = join(directory, 'attempts.json')

let isStopped = false
let child
process.on('SIGINT', () => {
  isStopped = true
})
process.on('SIGTERM', () => {
  isStopped = true
  child?.kill('SIGTERM')
})

let code = await run()
if (code !== 0 && files.length === 0 && !isStopped && existsSync(attempts)) {
  console.log('\nwhat failed runs once more\n')
  code = await run()
  printFlaky()
}
rmSync(directory, { recursive: true })
process.exitCode = code

function run() {
  const script = fileURLToPath(new URL('test.js', import.meta.url))
  const options = [script, ...given, `--test-rerun-failures=${attempts}`]
  child = spawn(process.execPath, options, { stdio: 'inherit' })
  return new Promise((resolve) => {
    child.once('exit', (status) => resolve(status ?? 1))
  })
}

/** The file lists each attempt's passed tests by their place: `tests/browser/kiosk.test.ts:30:1`. */
function printFlaky() {
  const [, second = {}] = JSON.parse(readFileSync(attempts, 'utf8'))
  for (const [place, { name, passed_on_attempt: attempt }] of Object.entries(second)) {
    if (attempt === 1) console.log(`flaky: ${name} (${place})`)
  }
}
