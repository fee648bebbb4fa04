import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, suite, test } from 'node:test'
import { storeCards } from '../../src/exchange/marketplaces/sync/card-store.ts'
import { openPictureFetcher } from '../../src/exchange/pictures/fetcher.ts'
import { type Egress, makeEgress } from '../../src/exchange/webhooks/egress.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { day, hour, minute } from '../../src/platform/kernel/moscow-time.ts'
import { setSwitch } from '../../src/platform/process/switches.ts'
import { pictureBytesMax } from '../../src/warehouse/catalogue/picture-bytes.ts'
import {
  deleteUnusedPictures,
  findPicture,
  picturesMax,
  picturesOf,
  uploadPicture,
} from '../../src/warehouse/catalogue/pictures.ts'
import { registerProducts } from '../../src/warehouse/stock/new-products.ts'
import { testDatabase } from '../support/database.ts'
import { fakePhoto } from '../support/fake-photo.ts'
import { eventually } from '../support/faults.ts'
import { fakePicture } from '../support/marketplaces/fake-picture.ts'
import { startService } from '../support/service.ts'
import { openScene } from '../support/sync-scene.ts'
import { meanwhile } from '../support/waiting.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const { db } = await testDatabase()

const made = new Map<string, string>()

function png(name: string): Buffer {
  const picture = fakePicture(name)
  made.set(picture.toString('base64'), name)
  return picture
}

/** A server of pictures, and the requests that it got. */
let answer: RequestListener
let asked: string[] = []
const server = await listening((request, response) => {
  asked.push(request.url ?? '')
  answer(request, response)
})
const host = hostOf(server)

function listening(listener: RequestListener): Promise<Server> {
  const opened = createServer({ maxHeaderSize: 1024 * 1024 }, listener)
  after(() => {
    opened.closeAllConnections()
    return new Promise((resolve) => opened.close(resolve))
  })
  return new Promise((resolve) => opened.listen(0, '127.0.0.1', () => resolve(opened)))
}

function hostOf(server: Server): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const clock = new ManualClock(noon)
let warnings: unknown[] = []
const log = {
  error: ({ err }: { err: unknown }) => assert.fail(String(err)),
  warn: ({ err }: Readonly<Record<string, unknown>>) => void warnings.push(String(err)),
}
const egress = makeEgress({ privateTargets: 'sandbox', timeoutMs: 60_000 })
const parts = { db, clock, log, egress, hosts: [host] }
const fetcher = openPictureFetcher(parts)
const hasty = makeEgress({ privateTargets: 'sandbox', timeoutMs: 200 })

beforeEach(async () => {
  asked = []
  warnings = []
  answer = (_, response) => response.end(png('a'))
  await db`update product_pictures set due_at = null`
})

/** A client with a card that names a picture, and the product of the card. */
async function openSeller(picture = `http://${host}/1.png`, mode: 'live' | 'test' = 'live') {
  const { id, cabinets } = await makeClient(db, ['WB'], mode)
  const cabinet = cabinets[0] ?? ''
  const name = (url: string | undefined, barcodes = ['4600000000017']) =>
    at(db, clock.now(), (work) =>
      storeCards(work, id, cabinet, [
        {
          itemId: 1,
          barcodes,
          article: 'A',
          name: 'Чай',
          ...(url === undefined ? {} : { picture: url }),
        },
      ]),
    )
  const add = (barcode = '4600000000017') =>
    at(db, clock.now(), (work) => registerProducts(work, id, [{ barcode, name: 'Чай' }]))
  await name(picture)
  await add()
  return { id, name, add, shown: (barcode?: string) => shownBy(id, barcode) }
}

/** The name of the picture that a product shows. */
async function shownBy(clientId: string, barcode = '4600000000017'): Promise<string | undefined> {
  const hash = (await picturesOf(db, [{ clientId, barcode }]))({ clientId, barcode })
  return hash === undefined
    ? undefined
    : made.get((await findPicture(db, clientId, hash))?.bytes.toString('base64') ?? '')
}

suite('pictures of cards', () => {
  // Guarantee (pictures): A card's picture is fetched once, until the card names another.
  test('are fetched once, and anew where the address changes', async () => {
    const { name, shown } = await openSeller()
    await fetcher.runOnce()
    await fetcher.runOnce()
    assert.deepEqual([await shown(), asked], ['a', ['/1.png']])
    answer = (_, response) => response.end(png('b'))
    await name(`http://${host}/1.png`)
    await fetcher.runOnce()
    assert.equal(await shown(), 'a')
    await name(`http://${host}/2.png`)
    assert.equal(await shown(), 'a', 'it is shown until the next one is there')
    await fetcher.runOnce()
    assert.deepEqual([await shown(), asked], ['b', ['/1.png', '/2.png']])
    await name(undefined)
    await fetcher.runOnce()
    assert.equal(await shown(), 'b', 'a card that names none takes none away')
  })

  test('belong to goods that were there before their card, and in any spelling of the barcode', async () => {
    const { id, name, add, shown } = await openSeller()
    await add('2000000010014')
    await name(`http://${host}/3.png`, ['2000000010014', '04600000000017'])
    await fetcher.runOnce()
    assert.deepEqual([await shown('2000000010014'), await shown()], ['a', 'a'])
    const [{ kept }] = await db<[{ kept: number }]>`
      select count(*) as kept from pictures where client_id = ${id}`
    assert.equal(kept, 1, 'the bytes are kept once')
  })

  test('come from what both marketplaces list', async () => {
    const scene = await openScene({ db })
    for (const fake of [scene.wb, scene.ozon]) {
      const { account, clientId } = await scene.connect(fake)
      const picture = `${fake.baseUrl}/pictures/tea.png`
      fake.addCard(account, { name: 'Чай', barcodes: ['4600000000017'], picture })
      await scene.sync()
      await at(db, clock.now(), (work) =>
        registerProducts(work, clientId, [{ barcode: '4600000000017', name: 'Чай' }]),
      )
      await openPictureFetcher({ ...parts, hosts: [new URL(fake.baseUrl).host] }).runOnce()
      const goods = { clientId, barcode: '4600000000017' }
      assert.ok((await picturesOf(db, [goods]))(goods), fake.marketplace)
    }
  })

  test('of sandboxes are not fetched, and none while marketplaces are switched off', async () => {
    await openSeller(undefined, 'test')
    await fetcher.runOnce()
    await openSeller()
    await setSwitch(db, 'marketplaces', false)
    await fetcher.runOnce()
    assert.deepEqual(asked, [])
    await setSwitch(db, 'marketplaces', true)
    await fetcher.runOnce()
    assert.deepEqual(asked, ['/1.png'])
  })

  test('that cannot be had are asked for again after growing pauses, and then given up', async () => {
    const { shown } = await openSeller()
    answer = (_, response) => response.writeHead(404).end()
    for (const pauseMs of [0, minute, 10 * minute, hour, 6 * hour, day]) {
      clock.advance(pauseMs - 1)
      const before = asked.length
      if (pauseMs > 0) await fetcher.runOnce()
      assert.equal(asked.length, before, `not before ${pauseMs} ms`)
      clock.advance(1)
      await fetcher.runOnce()
      assert.equal(asked.length, before + 1)
    }
    clock.advance(30 * day)
    await fetcher.runOnce()
    assert.deepEqual([asked.length, await shown()], [6, undefined])
    assert.deepEqual(warnings, ['Error: answered with 404'])
  })

  test('are each fetched by one of two processes', async () => {
    for (let each = 0; each < 6; each += 1) await openSeller()
    await Promise.all([fetcher.runOnce(), openPictureFetcher(parts).runOnce()])
    await fetcher.runOnce()
    assert.equal(asked.length, 6)
  })
})

suite('a hostile server of pictures', () => {
  const refused = async (
    expected: RegExp,
    { address, by = egress }: { address?: string; by?: Egress } = {},
  ) => {
    const { id, shown } = await openSeller(address)
    await db`update product_pictures set attempts = 5 where client_id = ${id}`
    await openPictureFetcher({ ...parts, egress: by }).runOnce()
    assert.equal(await shown(), undefined)
    assert.equal(warnings.length, 1)
    assert.match(String(warnings[0]), expected)
  }

  // Guarantee (pictures): Pictures are fetched from the marketplaces' hosts only, whatever redirects say.
  test('is not followed anywhere else', async () => {
    const inner = await listening((request, response) => {
      asked.push(`inner ${request.url}`)
      response.end(png('secret'))
    })
    answer = (_, response) =>
      response.writeHead(302, { location: `http://${hostOf(inner)}/secret` }).end(png('a'))
    await refused(/answered with 302/)
    assert.deepEqual(asked, ['/1.png'])
  })

  test('of another host is not asked at all', async () => {
    const inner = await listening((request) => void asked.push(`inner ${request.url}`))
    for (const address of [
      `http://${hostOf(inner)}/1.png`,
      'http://169.254.169.254/latest/meta-data',
      'https://10.0.0.1/1.png',
      `http://localhost:${hostOf(inner).split(':')[1]}/`,
      `http://${host}@${hostOf(inner)}/1.png`,
    ]) {
      await refused(/not an address of a known host/, { address })
      warnings = []
    }
    assert.deepEqual(asked, [])
  })

  test('that sends without end is stopped at two megabytes', async () => {
    let sent = 0
    answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      const chunk = Buffer.alloc(64 * 1024, 1)
      const more = () => {
        while (!response.destroyed && sent < 100 * pictureBytesMax) {
          sent += chunk.length
          if (!response.write(chunk)) return response.once('drain', more)
        }
        return response
      }
      response.write(png('a'))
      more()
    }
    await refused(/too large/)
    assert.ok(sent < 20 * pictureBytesMax, `${sent} bytes were sent`)
  })

  test('that announces too many bytes is not read', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': pictureBytesMax + 1 })
      response.write(png('a'))
    }
    await refused(/too large/)
  })

  test('that sends a huge header is refused', async () => {
    answer = (_, response) =>
      response.writeHead(200, { 'x-filler': 'a'.repeat(200_000) }).end(png('a'))
    await refused(/header|overflow/i)
  })

  test('that never ends is given up in time', async () => {
    answer = (_, response) => {
      response.writeHead(200)
      response.write(png('a'))
    }
    await refused(/too slow/, { by: hasty })
  })

  test('that breaks off is refused', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write(png('a'), () => response.destroy())
    }
    await refused(/./)
  })

  test('that calls something else a picture is refused', async () => {
    const bomb = fakePhoto('bomb', { width: 65_535, height: 65_535 })
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    for (const body of [svg, '<script>', 'GIF89a', '', bomb, png('cut').subarray(0, -1)]) {
      answer = (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(body)
      await refused(/not a picture/)
      warnings = []
    }
  })
})

suite('stored pictures', () => {
  const upload = (clientId: string, bytes: Buffer | undefined) =>
    at(db, clock.now(), (work) =>
      uploadPicture(
        work,
        { clientId, barcode: '4600000000017' },
        bytes && { type: 'image/png', bytes },
      ),
    )
  const kept = async (clientId: string) => {
    const [{ count }] = await db<[{ count: number }]>`
      select count(*) as count from pictures where client_id = ${clientId}`
    return count
  }

  test('uploaded ones go before those of cards, and give way when they are removed', async () => {
    const { id, shown } = await openSeller()
    await fetcher.runOnce()
    assert.equal(await upload(id, png('own')), true)
    assert.equal(await upload(id, png('own')), false)
    assert.equal(await shown(), 'own')
    assert.equal(await upload(id, undefined), true)
    assert.equal(await upload(id, undefined), false)
    assert.equal(await shown(), 'a')
  })

  test('are removed a day after the last product stopped showing them, and not before', async () => {
    const { id } = await openSeller()
    await upload(id, png('old'))
    await upload(id, png('new'))
    clock.advance(day)
    await deleteUnusedPictures(db, clock.now())
    assert.equal(await kept(id), 2)
    clock.advance(1)
    await deleteUnusedPictures(db, clock.now())
    assert.equal(await kept(id), 1)
  })

  test('that a product shows again meanwhile stay', async () => {
    const { id, shown } = await openSeller()
    await upload(id, png('old'))
    await upload(id, undefined)
    clock.advance(2 * day)
    await meanwhile(
      db,
      (tx) => tx`update pictures set unused_since = null where client_id = ${id}`,
      () => deleteUnusedPictures(db, clock.now()),
    )
    assert.equal(await kept(id), 1)
    await upload(id, png('old'))
    assert.equal(await shown(), 'old')
  })

  test('of one client have a bound', async () => {
    const { id } = await openSeller()
    await db`
      insert into pictures (client_id, hash, type, bytes, unused_since)
      select ${id}, sha256(n::text::bytea), 'image/png', n::text::bytea, now()
      from generate_series(1, ${picturesMax}) n`
    await assert.rejects(upload(id, png('more')), { code: 'conflict' })
    await db`delete from pictures where client_id = ${id} and hash = sha256('1')`
    await upload(id, png('more'))
  })

  test('are found by their own client alone', async () => {
    const [one, other] = [await openSeller(), await openSeller()]
    await upload(one.id, png('mine'))
    const goods = { clientId: one.id, barcode: '4600000000017' }
    const hash = (await picturesOf(db, [goods]))(goods) ?? ''
    assert.ok(await findPicture(db, one.id, hash))
    assert.equal(await findPicture(db, other.id, hash), undefined)
    assert.equal(await findPicture(db, one.id, `${hash}'`), undefined)
  })
})

test('a worker fetches pictures and removes unused ones by itself', async () => {
  const openDatabase = async () => {
    const opened = (await testDatabase()).db
    await addPictures(opened)
    return opened
  }
  const service = await startService({ PICTURE_HOSTS: host }, 'worker', openDatabase)
  await eventually('the picture is there, and the old one is gone', async () => {
    const kept = await service.db`select from pictures`
    return kept.length === 1 && asked.includes('/worker.png')
  })
})

/** One that a card names, and one that nothing has named for two days. */
async function addPictures(opened: Database): Promise<void> {
  const { id, cabinets } = await makeClient(opened)
  const card = { itemId: 1, barcodes: ['4600000000017'], article: 'A', name: 'Чай' }
  const picture = `http://${host}/worker.png`
  await at(opened, noon, async (work) => {
    await registerProducts(work, id, [{ barcode: '4600000000017', name: 'Чай' }])
    await storeCards(work, id, cabinets[0] ?? '', [{ ...card, picture }])
  })
  await opened`
    insert into pictures (client_id, hash, type, bytes, unused_since)
    values (${id}, sha256('old'), 'image/png', 'old', now() - interval '2 days')`
}
