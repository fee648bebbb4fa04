import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { signatureOf } from '../../src/exchange/webhooks/signature.ts'
import { accountClient, accountUser, sellersPassword } from '../support/account.ts'
import { type Answer, openClient } from '../support/client.ts'
import { addressOf, testDatabase } from '../support/database.ts'
import { eventually } from '../support/faults.ts'
import { freePort } from '../support/free-port.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import { runCommand, startProcess, withoutPages } from '../support/process.ts'
import { openReceiver } from '../support/receiver.ts'
import { staffClient } from '../support/staff.ts'

/** SECRET_KEY is replaced as the runbook says, and what the service had sealed and signed is used after each step. */

const receiver = await openReceiver()
after(() => receiver.close())
const fakes = await startFakes()
const { db, target } = await testDatabase()
const port = String(await freePort())
const baseUrl = `http://127.0.0.1:${port}`
const dataDir = mkdtempSync(join(tmpdir(), 'secret-key-'))
const settings = (keys: string) => ({
  ...fakes.settings,
  DATABASE_URL: addressOf(target),
  PORT: port,
  SECRET_KEY: keys,
  SYNC_INTERVAL: '1s',
  WEBHOOK_PRIVATE_TARGETS: 'allow',
})
const start = (keys: string, command?: readonly string[]) =>
  startProcess(dataDir, settings(keys), command ?? withoutPages)
const reseal = (keys: string, ...options: readonly string[]) =>
  runCommand(dataDir, ['secrets', 'reseal', ...options], settings(keys))
const asAnOperator = [resolve(import.meta.dirname, '../../bin/sklad.js'), 'serve']
const newKey = () => randomBytes(32).toString('base64')
const [old, fresh, stranger] = [newKey(), newKey(), newKey()]

function read<Body>(answer: Answer, status = 200): Body {
  assert.equal(answer.status, status, answer.text)
  return answer.body as Body
}

async function whileRuns(keys: string, work: () => Promise<void>): Promise<void> {
  const service = await start(keys)
  await work()
  assert.equal((await service.end('SIGTERM')).code, 0, service.output())
}

/** Something of each kind that a service seals or signs. */
async function makeSecrets() {
  const admin = await staffClient({ db, baseUrl }, 'administrator')
  const client = read<{ id: string }>(await admin.post('/clients', { name: 'ООО «Юг»' }), 201).id
  const { credentials } = fakes.wb.account()
  const draft = { marketplace: 'WB', name: 'Юг WB', credentials, shipments: 'mirrored' }
  const cabinet = await admin.post(`/clients/${client}/cabinets`, draft)
  const { id: cabinetId } = read<{ id: string }>(cabinet, 201)
  const issued = await admin.post(`/clients/${client}/keys`, { name: '1С', receipts_enabled: true })
  const api = openClient(baseUrl, read<{ key: string }>(issued, 201).key, false)
  const webhook = { url: receiver.url, events: ['receipt.created'] }
  const made = read<{ webhook: { id: string }; secret: string }>(
    await api.post('/v1/webhooks', webhook),
    201,
  )
  for (const ref of ['1', '2']) {
    const items = [{ barcode: '4600000000017', name: 'Плед', qty: 1, honest_mark: false }]
    read(await api.post('/v1/receipts', { external_ref: ref, items }), 201)
  }
  const owner = await accountUser({ db, baseUrl }, { [client]: 'owner' })
  const viewer = await accountUser({ db, baseUrl }, { [client]: 'viewer' })
  const password = { password: sellersPassword }
  const offered = async (user: typeof owner) => {
    const { secret } = read<{ secret: string }>(await user.post('/one-time-codes', password))
    return new TOTP({ secret: Secret.fromBase32(secret) })
  }
  const totp = await offered(owner)
  read(await owner.post('/one-time-codes/confirm', { code: totp.generate() }))
  const wish = { name: 'Робот', purpose: 'Сверять остатки', receipts_enabled: false }
  const asked = read<{ id: string }>(await owner.post('/key-requests', wish), 201)
  read(await admin.post(`/clients/${client}/key-requests/${asked.id}/accept`))
  return {
    ...{ admin, api, client, cabinetId, owner, totp, viewer, offered: await offered(viewer) },
    ...{ webhook: made.webhook.id, secret: made.secret, keyRequest: asked.id },
  }
}
type Made = Awaited<ReturnType<typeof makeSecrets>>

/** What sellers' programs keep: a cursor of a page, and a position of the feed. */
async function signedNow({ api }: Made) {
  const page = read<{ next_cursor: string }>(await api.get('/v1/receipts?limit=1'))
  const feed = read<{ next_after: string }>(await api.get('/v1/events'))
  return [`/v1/receipts?limit=1&cursor=${page.next_cursor}`, `/v1/events?after=${feed.next_after}`]
}

async function assertOpen({ admin, api, cabinetId, owner, totp, webhook, secret }: Made) {
  const came = receiver.requests.length
  read(await api.post(`/v1/webhooks/${webhook}/ping`), 202)
  await receiver.until(({ length }) => length > came)
  const { headers, bytes } = receiver.requests.at(-1) ?? assert.fail()
  const signed = signatureOf(secret, String(headers['x-svc-timestamp']), bytes)
  assert.equal(headers['x-svc-signature'], signed)

  const cabinet = async () =>
    read<{ synced_at: string | null; sync_error: string | null }>(
      await admin.get(`/cabinets/${cabinetId}`),
    )
  const { synced_at: before } = await cabinet()
  await eventually('the cabinet syncs', async () => (await cabinet()).synced_at !== before)
  assert.equal((await cabinet()).sync_error ?? null, null)

  // Each code is taken once in 30 seconds.
  await db`update seller_users set totp_step = 0 where id = ${owner.userId}`.affected()
  const code = totp.generate()
  const signIn = { login: owner.login, password: sellersPassword, code }
  read(await accountClient(baseUrl).post('/session', signIn))
}

// Guarantee (secrets): While SECRET_KEY is replaced by the runbook, everything sealed goes on opening.
test('after each step of a replacement of SECRET_KEY all that was sealed opens', async () => {
  let made: Made | undefined
  let kept: readonly string[] = []
  const scene = () => made ?? assert.fail()
  const assertKept = async (status: number) => {
    for (const path of kept) {
      assert.equal((await scene().api.get(path)).status, status, path)
    }
  }
  await whileRuns(old, async () => {
    made = await makeSecrets()
    kept = await signedNow(made)
    await assertOpen(made)
  })
  for (const keys of [`${old},${fresh}`, `${fresh},${old}`]) {
    await whileRuns(keys, async () => {
      await assertOpen(scene())
      await assertKept(200)
    })
  }
  // The step between was left out.
  await assert.rejects(start(fresh), /does not open what that one sealed/)
  await whileRuns(`${fresh},${old}`, async () => {
    const { code, answer, errors } = await reseal(`${fresh},${old}`)
    assert.equal(code, 0, errors)
    assert.deepEqual(answer, { resealed: 6, current: 0, unreadable: [] })
    await assertOpen(scene())
  })
  await whileRuns(fresh, async () => {
    const { owner, viewer, offered, keyRequest } = scene()
    await assertOpen(scene())
    read(await viewer.post('/one-time-codes/confirm', { code: offered.generate() }))
    const path = `/key-requests/${keyRequest}/reveal`
    const { key } = read<{ key: string }>(await owner.post(path, { password: sellersPassword }))
    assert.equal((await openClient(baseUrl, key, false).get('/v1/me')).status, 200)
    // As the runbook warns.
    await assertKept(400)
    for (const path of await signedNow(scene())) {
      assert.equal((await scene().api.get(path)).status, 200, path)
    }
  })
})

// Guarantee (secrets): The service does not start without a key that still opens something, unless an operator gives it up.
test('a start with another key is refused in one sentence, until the former one is given up', async () => {
  const refusal = await start(stranger, asAnOperator).then(
    () => assert.fail('it started'),
    (error: Error) => error.message,
  )
  const said = refusal.split('\n').filter((line) => line.trim() !== '')
  assert.equal(said.length, 1, refusal)
  assert.match(
    refusal,
    /SECRET_KEY, or secret\.key, is another .* secrets reseal --former-key-lost/,
  )
  await whileRuns(fresh, async () => {})

  const { code, answer } = await reseal(stranger)
  assert.equal(code, 1)
  assert.equal((answer.unreadable as unknown[]).length, 4)
  await assert.rejects(start(stranger), /does not open/)
  assert.equal((await reseal(stranger, '--former-key-lost')).code, 1)
  await whileRuns(stranger, async () => {})
})
