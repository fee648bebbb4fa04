import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertRefused } from '../support/client.ts'
import { read, type Shape } from '../support/shape.ts'
import { openTarget, type Page, readPage } from '../support/target.ts'
import { meShape } from './resources.ts'

/** The rules of all lists: the envelope, page sizes, cursors, parameters. */

const target = await openTarget()
const sandbox = await target.sandbox()
const stranger = await target.emptySandbox()

// More receipts than the largest page of them.
const { cabinets } = read(meShape, (await sandbox.get('/v1/me')).body)
for (let made = 0; made < 200; made += 20) {
  await Promise.all(
    Array.from({ length: 20 }, () =>
      sandbox.post('/v1/receipts', {
        cabinet_id: cabinets[0]?.id,
        items: [{ barcode: 'новый', name: 'Новый товар', qty: 1, honest_mark: false }],
      }),
    ),
  )
}

interface List {
  readonly path: string
  readonly size: number
  readonly sizeMax: number
  /** Two queries, each with more than one item. */
  readonly filters: readonly [string, string]
  readonly enums: readonly string[]
  readonly times: boolean
}

const lists: readonly List[] = [
  {
    path: '/v1/stock',
    size: 100,
    sizeMax: 1000,
    filters: ['search=а', 'search=о'],
    enums: ['selection'],
    times: false,
  },
  {
    path: '/v1/orders',
    size: 100,
    sizeMax: 1000,
    filters: ['status=COMPLETED', 'marketplace=WB'],
    enums: ['marketplace', 'status'],
    times: true,
  },
  {
    path: '/v1/receipts',
    size: 50,
    sizeMax: 200,
    filters: ['status=PENDING_CONFIRMATION', 'created_to=2100-01-01'],
    enums: ['status'],
    times: true,
  },
  {
    path: '/v1/shipments',
    size: 50,
    sizeMax: 200,
    filters: ['status=ACCEPTED', 'marketplace=OZON'],
    enums: ['marketplace', 'status'],
    times: true,
  },
]

interface Item {
  readonly id?: string
  readonly barcode?: string
  readonly created_at?: string
}

/** An item of any list: only its id matters here. */
const item: Shape<Item> = { check() {} }
const idOf = ({ id, barcode }: Item) => id ?? barcode ?? ''

async function pageOf(path: string, query: string): Promise<Page<Item>> {
  const answer = await sandbox.get(`${path}?${query}`)
  assert.equal(answer.status, 200, `${query}: ${answer.text.slice(0, 200)}`)
  return readPage(item, answer.body)
}

async function walk(path: string, query: string, sizes: readonly number[]): Promise<string[]> {
  const ids: string[] = []
  const totals = new Set<number>()
  let cursor = ''
  for (let at = 0; ; at++) {
    const size = sizes[at % sizes.length] ?? 1
    const page = await pageOf(path, `${query}&limit=${size}${cursor}`)
    ids.push(...page.items.map(idOf))
    totals.add(page.total)
    if (page.next_cursor === null) break
    assert.equal(page.items.length, size)
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
  assert.deepEqual([...totals], [ids.length])
  return ids
}

async function cursorOf(path: string, query = ''): Promise<string> {
  const { next_cursor: cursor } = await pageOf(path, `${query}&limit=1`)
  assert.ok(cursor)
  return cursor
}

for (const { path, size, sizeMax, filters, enums, times } of lists) {
  suite(path, { concurrency: true }, () => {
    test('page sizes out of range become the default or the maximum', async () => {
      const { total } = await pageOf(path, '')
      const expected = (wanted: number) => Math.min(wanted, total)
      const sizes: [string, number][] = [
        ['', size],
        ['limit=0', size],
        ['limit=-0', size],
        ['limit=-7', size],
        ['limit=-99999999999999999999999999', size],
        ['limit=1', 1],
        ['limit=%2B2', 2],
        ['limit=+2', 2],
        ['limit=0003', 3],
        [`limit=${sizeMax}`, sizeMax],
        [`limit=${sizeMax + 1}`, sizeMax],
        [`limit=${'9'.repeat(400)}`, sizeMax],
      ]
      for (const [query, wanted] of sizes) {
        const page = await pageOf(path, query)
        assert.equal(page.items.length, expected(wanted), query)
        assert.equal(page.next_cursor === null, expected(wanted) === total, query)
        assert.equal(page.total, total)
      }
    })

    test('a page size that is not an integer is refused', async () => {
      const texts = [
        '',
        '1.5',
        '1.0',
        '1e2',
        'abc',
        '0x10',
        '--1',
        '-',
        '%2B',
        '1%20',
        'NaN',
        '1,0',
        '%D9%A1',
        'null',
        '1_0',
        '%EF%BC%91',
      ]
      for (const given of texts) {
        assertRefused(await sandbox.get(`${path}?limit=${given}`), 'bad_request', 'limit')
      }
      assertRefused(await sandbox.get(`${path}?limit`), 'bad_request', 'limit')
    })

    test('pages of any sizes add up to the whole list', async () => {
      const whole = (await pageOf(path, `limit=${sizeMax}`)).items.map(idOf)
      const sizesOf =
        whole.length > 100
          ? [[97], [150, 1, 60], [sizeMax - 1]]
          : [[1], [5], [7, 2], [whole.length]]
      for (const sizes of sizesOf) {
        const walked = await walk(path, '', sizes)
        assert.deepEqual(walked.slice(0, whole.length), whole, String(sizes))
        assert.equal(new Set(walked).size, walked.length)
      }
      for (const filter of filters) {
        const filtered = await walk(path, filter, [Math.max(2, Math.ceil(whole.length / 9))])
        assert.deepEqual(filtered, await walk(path, filter, [sizeMax]))
        assert.ok(filtered.length > 1)
      }
    })

    test('a cursor with any character changed is refused', async () => {
      const cursor = await cursorOf(path)
      const tampered = [...cursor].map(
        (char, at) => cursor.slice(0, at) + (char === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
      )
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      for (const char of alphabet) tampered.push(cursor.slice(0, -1) + char)
      const tries = new Set(tampered)
      tries.delete(cursor)
      await Promise.all(
        [...tries].map(async (text) => {
          const answer = await sandbox.get(`${path}?limit=1&cursor=${encodeURIComponent(text)}`)
          assertRefused(answer, 'bad_cursor')
        }),
      )
    })

    test('a cursor in another form than issued is refused', async () => {
      const cursor = await cursorOf(path)
      const bytes = Buffer.from(cursor, 'base64url')
      const forms = ['', ' ', 'x', '0', 'null', '1', '%', `${cursor}=`, `${cursor}==`, `${cursor} `]
      forms.push(
        ` ${cursor}`,
        `${cursor}\n`,
        cursor + cursor,
        cursor.slice(0, 12),
        'A'.repeat(2000),
      )
      forms.push(bytes.toString('hex'), `${bytes.toString('base64')}=`, cursor.toLowerCase())
      forms.push(Buffer.concat([bytes, Buffer.from([0])]).toString('base64url'), `"${cursor}"`)
      forms.push(cursor.slice(1), cursor.slice(0, -1), 'ё', '../../etc/passwd', '[]', '{"id":1}')
      for (const form of forms) {
        assertRefused(await sandbox.get(`${path}?cursor=${encodeURIComponent(form)}`), 'bad_cursor')
      }
      assertRefused(await sandbox.get(`${path}?cursor=`), 'bad_cursor', 'cursor: пустое значение')
      for (const raw of ['%ZZ', '%', '%FF', '%00', `${cursor}%`]) {
        assertRefused(await sandbox.get(`${path}?cursor=${raw}`), 'bad_cursor')
      }
    })

    // Guarantee (http): A cursor works only for its own client, list and filter.
    test('a cursor holds only for its list, its filter and its client', async () => {
      const plain = await cursorOf(path)
      const [first, second] = filters
      const filtered = await cursorOf(path, first)
      const ask = (query: string, cursor: string, client = sandbox, at = path) =>
        client.get(`${at}?${query}&cursor=${encodeURIComponent(cursor)}`)
      assert.equal((await ask('', plain)).status, 200)
      assert.equal((await ask(first, filtered)).status, 200)
      assertRefused(await ask(first, plain), 'bad_cursor', /created_to/)
      assertRefused(await ask('', filtered), 'bad_cursor')
      assertRefused(await ask(second, filtered), 'bad_cursor')
      assertRefused(await ask('', plain, stranger), 'bad_cursor')
      for (const other of lists.filter((each) => each.path !== path)) {
        assertRefused(await ask('', plain, sandbox, other.path), 'bad_cursor')
      }
    })

    test('a cursor can be used again and gives the same page', async () => {
      const cursor = await cursorOf(path)
      const again = await pageOf(path, `limit=2&cursor=${cursor}`)
      assert.deepEqual(await pageOf(path, `cursor=${cursor}&limit=2`), again)
      assert.deepEqual(
        again.items.map(idOf),
        (await pageOf(path, 'limit=3')).items.map(idOf).slice(1),
      )
    })

    test('unknown parameters are ignored with whatever they contain', async () => {
      const plain = await pageOf(path, 'limit=2')
      for (const extra of [
        'foo=1',
        'foo=1&foo=2',
        'x=%zz',
        '%zz=1',
        'Lim=x',
        '=',
        '&&',
        '__proto__=1',
        'constructor=x',
        'x[]=x',
        'toString=1',
        '%00=%00',
        'from=x',
      ]) {
        assert.deepEqual(await pageOf(path, `limit=2&${extra}`), plain, extra)
      }
    })

    test('the answer names unknown parameters in a header, percent-encoded and bounded', async () => {
      const unknownOf = async (query: string) =>
        (await sandbox.get(`${path}?limit=1&${query}`)).headers.get('X-Unknown-Parameters')
      assert.equal(await unknownOf(''), null)
      assert.equal(await unknownOf('foo=1&bar&foo=2'), 'foo, bar')
      assert.equal(await unknownOf('a,b=1&%0D%0Ax=1&%zz=1'), 'a%2Cb, %0D%0Ax, %25zz')
      assert.equal(await unknownOf('%D1%84=1'), '%D1%84')
      const many = Array.from({ length: 20 }, (_, at) => `${at}${'ж'.repeat(60)}=1`).join('&')
      const listed = await unknownOf(encodeURI(many))
      assert.equal(listed?.split(', ').length, 10)
      assert.ok(listed.length < 3_000, String(listed.length))
      const refused = await sandbox.get(`${path}?limit=x&foo=1`)
      assertRefused(refused, 'bad_request', 'limit')
      assert.equal(refused.headers.get('X-Unknown-Parameters'), 'foo')
    })

    test('a name that is almost a known one is refused and the known one named', async () => {
      for (const known of [...enums, 'cursor', ...(times ? ['created_from'] : ['search'])]) {
        const [first = '', second = '', ...rest] = known
        const slips = [`${known}s`, [second, first, ...rest].join(''), `x${known.slice(1)}`]
        slips.push(known.toUpperCase(), `${known}[]`, known.replaceAll('_', ''))
        for (const slip of slips.filter((name) => name !== known)) {
          const answer = await sandbox.get(`${path}?${slip}=1`)
          assertRefused(answer, 'bad_request', slip)
          assert.ok(answer.message.includes(known), answer.message)
        }
      }
      for (const name of ['offset', 'page']) {
        const answer = await sandbox.get(`${path}?${name}=50`)
        assertRefused(answer, 'bad_request', name)
        assert.match(answer.message, /next_cursor/)
      }
    })

    test('a parameter given twice is refused, in any spelling of its name', async () => {
      const names = ['limit', ...enums, ...(times ? ['created_from', 'created_to'] : ['search'])]
      for (const name of names) {
        const value = { limit: '5', marketplace: 'WB', status: 'ACCEPTED' }[name] ?? '2026-01-01'
        const again = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`
        assertRefused(
          await sandbox.get(`${path}?${name}=${value}&${name}=${value}`),
          'bad_request',
          name,
        )
        assertRefused(
          await sandbox.get(`${path}?${name}=${value}&${again}=${value}`),
          'bad_request',
          name,
        )
      }
      const cursor = await cursorOf(path)
      assertRefused(
        await sandbox.get(`${path}?cursor=${cursor}&cursor=${cursor}`),
        'bad_request',
        'cursor',
      )
    })

    test('a parameter with bad percent-encoding or NUL is refused by its name', async () => {
      const name = enums[0] ?? 'search'
      for (const value of ['%zz', '%', '%C3', '%C3%28', '%ED%A0%80', '%00', 'a%00b', '%FF']) {
        assertRefused(await sandbox.get(`${path}?${name}=${value}`), 'bad_request', name)
      }
    })

    for (const name of enums) {
      test(`${name} accepts only its values, in exactly their spelling`, async () => {
        for (const value of [
          '',
          'new',
          'wb',
          'WB,OZON',
          ' WB',
          'accepted',
          'UNKNOWN',
          'null',
          '0',
          'Ozon',
        ]) {
          const answer = await sandbox.get(`${path}?${name}=${encodeURIComponent(value)}`)
          assertRefused(answer, 'bad_request', name)
        }
      })
    }

    if (times) addTimeTests(path)
  })
}

function addTimeTests(path: string): void {
  test('bounds in time are accepted in every allowed form', async () => {
    const { items } = await pageOf(path, 'limit=9')
    const shown = items.at(-1)?.created_at ?? ''
    const at = Date.parse(shown)
    const upTo = async (bound: string) =>
      (await pageOf(path, `created_to=${encodeURIComponent(bound)}&limit=1`)).total
    const since = async (bound: string) =>
      (await pageOf(path, `created_from=${encodeURIComponent(bound)}&limit=1`)).total
    const [before, after] = [await upTo(shown), await since(shown)]
    const { total } = await pageOf(path, 'limit=1')
    assert.equal(before + after, total)
    const utc = new Date(at).toISOString()
    const elsewhere = `${new Date(at + 5.5 * 3_600_000).toISOString().slice(0, -1)}+05:30`
    const west = `${new Date(at - 9 * 3_600_000).toISOString().slice(0, -1)}-09:00`
    for (const form of [utc, utc.toLowerCase(), elsewhere, west, shown.replace('+', '000000+')]) {
      assert.equal(await upTo(form), before, form)
      assert.equal(await since(form), after, form)
    }
    // A little later than the shown time, so the receipt lies before the bound.
    const later = [shown.replace('+', '0001+'), new Date(at + 1).toISOString()]
    for (const form of later) {
      assert.ok((await upTo(form)) > before, form)
      assert.ok((await since(form)) < after, form)
    }
    assert.equal(await since('0001-01-01'), total)
    assert.equal(await upTo('9999-12-31'), total)
    assert.equal(await upTo('0001-01-01T00:00:00Z'), 0)
  })

  test('an invalid time is refused, and the message names the parameter', async () => {
    const forms = ['', 'x', '0', '1795242522', '2026-02-30', '2026-13-01', '2026-00-10', '2026-1-1']
    forms.push('2026-11-20T18:25:02', '2026-11-20T18:25+03:00', '2026-11-20T25:00:00Z', '20261120')
    forms.push('2026-11-20T18:25:02+24:00', '2026-11-20 18:25:02Z', '2026-11-20T18:25:02,5Z')
    forms.push(
      '20.11.2026',
      '2026-11-20T',
      '+002026-11-20',
      '-0001-01-01',
      '2025-02-29',
      '٢٠٢٦-١١-٢٠',
    )
    forms.push(
      '2026-11-20T18:25:02.Z',
      '2026-11-20T18:25:02+3:00',
      '2026-11-20Z',
      '2026-11-20T18:60:00Z',
    )
    for (const name of ['created_from', 'created_to']) {
      for (const form of forms) {
        const answer = await sandbox.get(`${path}?${name}=${encodeURIComponent(form)}`)
        assertRefused(answer, 'bad_request', name)
      }
    }
  })

  test('an offset whose + became a space is refused with the remedy', async () => {
    const answer = await sandbox.get(`${path}?created_from=2026-11-20T18:25:02+03:00`)
    assertRefused(answer, 'bad_request', 'created_from')
    assert.match(answer.message, /%2B/)
  })

  test('a window that ends before it begins is refused, and an empty window gives an empty list', async () => {
    const answer = await sandbox.get(`${path}?created_from=2026-01-02&created_to=2026-01-01`)
    assertRefused(answer, 'bad_request', /created_(from|to)/)
    const { body } = await sandbox.get(`${path}?created_from=2026-01-02&created_to=2026-01-02`)
    assert.deepEqual(body, { items: [], total: 0, next_cursor: null })
  })
}
