import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openCutProxy } from '../support/cut-proxy.ts'
import { installClient, olderNode, temporaryFolder } from '../support/installed-client.ts'
import { openReceiver } from '../support/receiver.ts'
import { sharedService } from '../support/service.ts'
import { assertStandard } from '../support/standard-webhooks.ts'

/** The event feed of the installed client, and the commands that stand on it. */

const service = await sharedService()
const { baseUrl } = service
const { folder, module } = await installClient()
const { Sklad, SkladError, verifyWebhook } = module

interface Seller {
  readonly key: string
  readonly sklad: InstanceType<typeof Sklad>
  /** Announces a receipt and answers its id. */
  announce(): Promise<string>
}

/** A sandbox whose events are recorded. */
async function newSeller(): Promise<Seller> {
  const key = await Sklad.sandboxKey({ baseUrl })
  const sklad = new Sklad({ key, baseUrl })
  const { cabinets } = await sklad.me()
  await sklad.events.list({ after: 'latest' })
  const items = [{ barcode: 'EV-1', name: 'Товар', qty: 1, honest_mark: false }]
  const draft = { cabinet_id: cabinets[0]?.id, items }
  return { key, sklad, announce: async () => (await sklad.receipts.create(draft)).id }
}

suite('the stream', () => {
  test('shows every event once and goes on waiting', async () => {
    const { sklad, announce } = await newSeller()
    const first = [await announce(), await announce()]
    const stream = sklad.events.stream({ types: ['receipt.created'] })
    const seen: string[] = []
    for await (const event of stream) {
      assert.equal(event.type, 'receipt.created')
      if (event.type !== 'receipt.created') continue
      seen.push(event.data.id)
      if (seen.length === 2) first.push(await announce())
      if (seen.length === 3) break
    }
    assert.deepEqual(seen, first)
  })

  // Guarantee (sdk): The client's stream continues after any event.
  test('continues after the position of any event, within a page too', async () => {
    const { sklad, announce } = await newSeller()
    for (let count = 0; count < 5; count++) await announce()
    const all = await take(sklad.events.stream({ limit: 3 }), 5)
    for (const [index, event] of all.slice(0, 4).entries()) {
      const rest = await take(sklad.events.stream({ after: event.position, limit: 3 }), 4 - index)
      assert.deepEqual(
        rest.map(({ id }) => id),
        all.slice(index + 1).map(({ id }) => id),
        `after event ${index}`,
      )
    }
  })

  // Guarantee (sdk): The client's stream resumes by itself when its connection is cut.
  test('resumes by itself when its connection is cut while it waits', async () => {
    const { key, announce } = await newSeller()
    const proxy = await openCutProxy(baseUrl)
    const waits: number[] = []
    const wait = async (ms: number) => {
      waits.push(ms)
    }
    const sklad = new Sklad({ key, baseUrl: proxy.baseUrl, retries: 0, timing: { wait } })
    const stream = sklad.events.stream({ after: 'latest' })
    const next = stream.next()
    // The end of the feed, then the first poll.
    await proxy.asked(2)
    const created = await announce()
    assert.equal(receiptOf((await next).value), created)
    const later = stream.next()
    await proxy.asked(3)
    proxy.cut()
    const second = await announce()
    assert.equal(receiptOf((await later).value), second)
    assert.equal(waits.length, 1)
  })

  test('a position that the service does not know is the caller’s to decide', async () => {
    const { sklad } = await newSeller()
    await assert.rejects(sklad.events.stream({ after: 'damaged' }).next(), (error) => {
      return error instanceof SkladError && error.code === 'bad_cursor'
    })
  })
})

function receiptOf(event: unknown): string {
  return (event as { data: { id: string } }).data.id
}

async function take<Item>(stream: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of stream) if (items.push(item) === count) break
  return items
}

/** How each command is started. */
const commands = [
  { title: 'of the package', program: ['node_modules/.bin/sklad-client'], node: process.execPath },
  { title: 'of the package', program: ['node_modules/.bin/sklad-client'], node: olderNode() },
  {
    title: 'of the service',
    program: [fileURLToPath(new URL('../../bin/sklad.js', import.meta.url))],
    node: process.execPath,
  },
]

function start(t: TestContext, node: string, args: readonly string[]) {
  const env = { PATH: process.env.PATH, DATA_DIR: join(temporaryFolder(), 'none') }
  const child = spawn(node, args, { cwd: folder, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      child.emit('printed')
    })
  }
  t.after(() => child.kill('SIGKILL'))
  return {
    output: () => output,
    async printed(text: RegExp) {
      while (!text.test(output)) await once(child, 'printed')
      return text.exec(output) ?? []
    },
    async end(signal?: NodeJS.Signals) {
      if (signal !== undefined) child.kill(signal)
      const [code] = await once(child, 'close')
      return code as number | null
    },
  }
}

for (const { title, program, node = '' } of commands) {
  const skip = node === '' && 'the machine has no older Node'

  test(`listen ${title} sends events like webhooks, repeats and ends with Ctrl-C: ${node}`, {
    skip,
  }, async (t) => {
    const { key, announce } = await newSeller()
    const receiver = await openReceiver()
    const asked = ['--key', key, '--base-url', baseUrl, '--forward-to', receiver.url]
    const listening = start(t, node, [...program, 'listen', ...asked, '--types', 'receipt.created'])
    const [, secret = ''] = await listening.printed(/(whsec_[A-Za-z0-9]{44})\n/)
    await listening.printed(/Ctrl-C/)
    receiver.reply = () => (receiver.requests.length === 1 ? 503 : 204)
    const id = await announce()
    await listening.printed(/ 204 \d+ ms\n/)

    assert.match(listening.output(), /^receipt\.created \S+ 503 \d+ ms$/m)
    assert.equal(receiver.requests.length, 2)
    const [first, second] = receiver.requests
    for (const { bytes, headers, event: sent } of receiver.requests) {
      assertStandard({ bytes, headers, event: sent }, secret)
      const event = await verifyWebhook({ body: bytes, headers, secret })
      assert.equal(receiptOf(event), id)
      assert.equal('position' in event, false)
      assert.equal(headers['x-svc-event'], 'receipt.created')
      assert.equal(headers['content-type'], 'application/json')
    }
    assert.deepEqual(first?.bytes, second?.bytes)
    const delivery = first?.headers['x-svc-delivery']
    assert.equal(second?.headers['x-svc-delivery'], `${delivery}.2`)
    assert.equal(await listening.end('SIGINT'), 0)
  })

  test(`trigger ${title} names what it touched, and says what is wrong: ${node}`, {
    skip,
  }, async (t) => {
    const { key } = await newSeller()
    const asked = ['--key', key, '--base-url', baseUrl]
    const played = start(t, node, [...program, 'trigger', 'order_new', ...asked])
    assert.equal(await played.end(), 0)
    assert.match(played.output(), /^order [0-9a-f-]{36}$/m)
    const unknown = start(t, node, [...program, 'trigger', 'sunrise', ...asked])
    assert.equal(await unknown.end(), 1)
    assert.match(unknown.output(), /^not_found: /)
    const incomplete = start(t, node, [...program, 'listen', ...asked])
    assert.equal(await incomplete.end(), 1)
    assert.match(incomplete.output(), /--forward-to/)
  })
}
