// Does what README.md, the reference and the READMEs of the clients tell an integrator to do: "npm run quickstart". It takes
// each command and program from those texts, starts the service on a port and data of its own, prints the seconds of each
// step, and ends with 1 at the first that fails. What needs a program that this machine lacks is skipped, and it says so.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../tests/support/free-port.ts'
import { clients } from './quickstart/clients.ts'
import { firstCalls } from './quickstart/first-calls.ts'
import { openPlace } from './quickstart/place.ts'
import { runSteps } from './quickstart/report.ts'
import { endAll } from './quickstart/shell.ts'
import { startService, stopService } from './trial/service.ts'
import { settingsOf, surroundingsOf } from './trial/settings.ts'

await using open = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void open.disposeAsync().then(() => process.exit(1)))
}
const folder = mkdtempSync(join(tmpdir(), 'sklad-quickstart-'))
open.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

const port = String(await freePort())
const baseUrl = `http://localhost:${port}`
const nowhere = 'http://127.0.0.1:9'
const settings = settingsOf(process.env, {
  folder: join(folder, 'data'),
  port,
  baseUrl,
  password: 'quickstart',
  wildberriesUrl: nowhere,
  ozonUrl: nowhere,
})
const start = async () => {
  const starting = startService(settings)
  // Before it is ready, too.
  open.defer(() => starting.then(stopService, () => {}))
  await starting
}
const place = await openPlace(baseUrl, folder, surroundingsOf(process.env))
open.defer(endAll)
const steps = [{ title: 'the service starts', run: start }, ...firstCalls(place), ...clients(place)]
if (!(await runSteps(steps, console.log))) process.exitCode = 1
