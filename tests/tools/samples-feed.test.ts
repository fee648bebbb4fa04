import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { publicApi, referencePage } from '../../scripts/documents.ts'
import { guide } from '../../src/http/public/guide/guide.ts'
import { publicErrors } from '../../src/platform/kernel/errors.ts'
import { subscribableTypes } from '../../src/warehouse/events/catalogue.ts'
import { type Client, newSandboxKey, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'

/** Runs the programs of docs/samples that read the feed, unchanged, against the service. */

const service = await sharedService()
const pathOf = (file: string) =>
  fileURLToPath(new URL(`../../docs/samples/${file}`, import.meta.url))

interface Sample {
  readonly file: string
  /** Succeeds if the machine has the language. */
  readonly probe: readonly [string, ...string[]]
  /** Reads what there is, and ends. */
  readonly once: readonly [string, ...string[]]
}

const samples: readonly Sample[] = [
  {
    file: 'feed.py',
    probe: ['python3', '--version'],
    once: ['python3', pathOf('feed.py'), 'once'],
  },
  {
    file: 'feed.php',
    probe: [
      'php',
      '-r',
      'exit(extension_loaded("pdo_sqlite") && extension_loaded("curl") ? 0 : 1);',
    ],
    once: ['php', pathOf('feed.php')],
  },
]

for (const { file, probe, once: command } of samples) {
  const [program, ...args] = probe
  const missing = spawnSync(program, args).status === 0 ? false : `${program} is not installed`

  test(`${file} handles every event once, over restarts and after a reset`, {
    skip: missing,
  }, async (t) => {
    const { seller, run, announce } = await scene(t)
    assert.deepEqual(await run(command), [])
    const first = [await announce(), await announce()]
    assert.deepEqual(await run(command), first)
    assert.deepEqual(await run(command), [])

    const later = await announce()
    assert.deepEqual(await run(command), [later])

    // Positions end with a reset: the program starts anew.
    await seller.post('/v1/sandbox/reset')
    await seller.get('/v1/events?after=latest')
    const afterReset = await announce()
    assert.deepEqual(await run(command), [afterReset])
  })

  test(`${file} says why a key is refused`, { skip: missing }, async (t) => {
    const { run } = await scene(t, 'svc_test_none')
    await assert.rejects(run(command), /401 unauthorized/)
  })
}

test('feed.py goes on waiting for events', {
  skip: spawnSync('python3', ['--version']).status === 0 ? false : 'python3 is not installed',
}, async (t) => {
  const { environment, announce } = await scene(t)
  const child = spawn('python3', [pathOf('feed.py')], { env: environment })
  t.after(() => child.kill('SIGKILL'))
  child.stdout.setEncoding('utf8')
  for (const each of [1, 2]) {
    const printed = once(child.stdout, 'data')
    const id = await announce()
    assert.equal(idsIn(String((await printed)[0]))[0], id, `event ${each}`)
  }
})

/** A seller in a sandbox of its own, and programs that keep their state in a place of their own. */
async function scene(t: TestContext, givenKey?: string) {
  const key = await newSandboxKey(service)
  const seller = openClient(service.baseUrl, key)
  await seller.get('/v1/events?after=latest')
  const folder = mkdtempSync(join(tmpdir(), 'sklad-feed-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const environment = {
    PATH: process.env.PATH,
    SKLAD_URL: service.baseUrl,
    SKLAD_KEY: givenKey ?? key,
    INBOX: join(folder, 'inbox.sqlite'),
  }
  return {
    seller,
    environment,
    announce: () => announce(seller),
    async run([program, ...args]: readonly [string, ...string[]]): Promise<string[]> {
      const child = spawn(program, args, { env: environment })
      let [printed, errors] = ['', '']
      child.stdout.setEncoding('utf8').on('data', (text) => {
        printed += text
      })
      child.stderr.setEncoding('utf8').on('data', (text) => {
        errors += text
      })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(errors)
      return idsIn(printed)
    },
  }
}

function idsIn(printed: string): string[] {
  return [...printed.matchAll(/^receipt\.created (\S+)$/gm)].map(([, id = '']) => id)
}

/** Announces a receipt and answers the id of its event. */
async function announce(seller: Client): Promise<string> {
  const { next_after: after } = (await seller.get('/v1/events?after=latest')).body as {
    next_after: string
  }
  const { cabinets } = (await seller.get('/v1/me')).body as { cabinets: { id: string }[] }
  const items = [{ barcode: 'FEED-1', name: 'Товар', qty: 1, honest_mark: false }]
  await seller.post('/v1/receipts', { cabinet_id: cabinets[0]?.id, items })
  const page = (await seller.get(`/v1/events?after=${after}`)).body as { items: { id: string }[] }
  return page.items[0]?.id ?? ''
}

const module1C = readFileSync(pathOf('feed.bsl'), 'utf8')
const code1C = module1C.replace(/(?<!:)\/\/.*$/gm, '')

test('feed.bsl closes everything that it opens', () => {
  for (const [open, close] of [
    ['Процедура', 'КонецПроцедуры'],
    ['Функция', 'КонецФункции'],
    ['Если', 'КонецЕсли'],
    ['Цикл', 'КонецЦикла'],
    ['Попытка', 'КонецПопытки'],
    ['#Область', '#КонецОбласти'],
    ['НачатьТранзакцию', 'ЗафиксироватьТранзакцию'],
    ['НачатьТранзакцию', 'ОтменитьТранзакцию'],
  ] as const) {
    const count = (word: string) =>
      code1C.match(new RegExp(`(?<![\\p{L}#])${word}(?!\\p{L})`, 'gu'))?.length
    assert.equal(count(open), count(close), `${open} … ${close}`)
    assert.notEqual(count(open), undefined)
  }
  for (const bracket of ['()', '[]']) {
    const count = (sign: string) => code1C.replace(/"[^"]*"/g, '').split(sign).length
    assert.equal(count(bracket.charAt(0)), count(bracket.charAt(1)), bracket)
  }
})

test('feed.bsl calls only what it declares, and names codes and events that exist', () => {
  const declared = [...code1C.matchAll(/^(?:Процедура|Функция) (\p{L}+)/gmu)].map(
    ([, name = '']) => name,
  )
  assert.equal(new Set(declared).size, declared.length)
  const exported = [...code1C.matchAll(/^(?:Процедура|Функция) (\p{L}+)\(.*\) Экспорт$/gmu)].map(
    ([, name = '']) => name,
  )
  assert.deepEqual(exported, ['ПолучитьИОбработать', 'ЗаявитьПриемку', 'Остатки'])
  for (const name of declared) {
    const uses = code1C.match(new RegExp(`(?<!\\p{L})${name}\\(`, 'gu'))?.length ?? 0
    assert.ok(uses > 1 || exported.includes(name), `${name} is not called`)
  }
  for (const [, code = ''] of code1C.matchAll(/Ответ\.Код = "(\w+)"/g)) {
    assert.ok(code in publicErrors, code)
  }
  const types: readonly string[] = subscribableTypes
  for (const [, type = ''] of code1C.matchAll(/Вид = "([\w.]+)"/g))
    assert.ok(types.includes(type), type)
})

/** Machines of developers have no 1C, so these read the calls of the module and make them. */
function calls1C(seller: Client) {
  const [, header = '', scheme = ''] =
    /Заголовки\.Вставить\("([\w-]+)", "(\w+ )" \+ Константы\.СкладКлюч/.exec(code1C) ?? []
  assert.deepEqual([header, scheme], ['Authorization', 'Bearer '])
  const [, type = ''] = /Заголовки\.Вставить\("Content-Type", "([^"]+)"/.exec(code1C) ?? []
  return async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: { [header]: `${scheme}${seller.key}`, ...(body && { 'Content-Type': type }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
}

/** The text of a function of the module. */
function functionOf(name: string): string {
  const start = code1C.indexOf(`Функция ${name}(`)
  assert.ok(start >= 0, name)
  return code1C.slice(start, code1C.indexOf('КонецФункции', start))
}

/** The first path of a function, and the parameter that it may add. */
function pathIn(text: string): readonly [path: string, parameter: string] {
  const [, path = ''] = /"(\/v1\/[^"]+)"/.exec(text) ?? []
  const [, parameter = ''] = /"(&\w+=)" \+ ДляАдреса\(/.exec(text) ?? []
  return [path, parameter]
}

/** The fields that a text reads of a value with this name. */
const fieldsRead = (text: string, name: string) => [
  ...new Set(
    [...text.matchAll(new RegExp(`${name}\\["(\\w+)"\\]`, 'gu'))].map(([, field = '']) => field),
  ),
]

test('the calls of feed.bsl to the feed are answered with every field that the module reads', async (t) => {
  const { seller, announce } = await scene(t)
  const id = await announce()
  const ask = calls1C(seller)
  const [path, parameter] = pathIn(functionOf('ПолучитьСтраницу'))
  assert.deepEqual([path, parameter], ['/v1/events?limit=100&wait=25', '&after='])

  // The module waits for 25 seconds; here something has happened already.
  const { status, body } = await ask('GET', path)
  assert.equal(status, 200)
  const [inPage, inEvent] = [functionOf('ПолучитьСтраницу'), code1C]
  const pageFields = [...fieldsRead(inPage, 'Ответ\\.Тело'), ...fieldsRead(code1C, 'Страница')]
  assert.deepEqual(pageFields.toSorted(), ['has_more', 'items', 'next_after'])
  for (const field of pageFields) assert.ok(field in body, field)
  const [event] = body.items as Record<string, unknown>[]
  assert.equal(event?.id, id)
  assert.deepEqual(fieldsRead(inEvent, 'Событие').toSorted(), ['data', 'id', 'type'])
  for (const field of fieldsRead(inEvent, 'Событие')) assert.ok(event && field in event, field)

  const position = encodeURIComponent(String(body.next_after))
  const damaged = await ask('GET', `${path}${parameter}${position}x`)
  assert.deepEqual(fieldsRead(functionOf('Запросить'), 'ТелоОтвета'), ['error'])
  assert.deepEqual(fieldsRead(code1C, 'Ошибка'), ['code', 'message'])
  const { error } = damaged.body as { error: Record<string, string> }
  assert.deepEqual([damaged.status, error.code], [400, 'bad_cursor'])
  assert.equal(typeof error.message, 'string')

  // What the events of the two handled types hold.
  const kinds = { receipt: publicSchema('Receipt'), order: publicSchema('Order') }
  for (const field of fieldsRead(code1C, 'Данные').filter((each) => each !== 'object')) {
    assert.ok(field in kinds.receipt, field)
  }
  for (const field of fieldsRead(code1C, 'Данные\\["object"\\]')) {
    assert.ok(field in kinds.order, field)
  }
})

test('feed.bsl announces a receipt with fields that the service takes, and finds it by its number', async (t) => {
  const { seller } = await scene(t)
  const ask = calls1C(seller)
  const text = functionOf('ЗаявитьПриемку')
  const namesOf = (pattern: RegExp) => pattern.exec(text)?.[1]?.split(', ') ?? []
  const drafted = namesOf(/Новый Структура\("([^"]+)", НомерДокумента/)
  const lined = namesOf(/Добавить\(Новый Структура\("([^"]+)",/)
  const { cabinets } = (await seller.get('/v1/me')).body as { cabinets: { id: string }[] }
  const values: Record<string, unknown> = {
    external_ref: 'ПТ-1/2',
    items: [pick({ barcode: '1С-1', name: 'Плед', qty: 3, honest_mark: false }, lined)],
  }
  const [added = ''] = [...text.matchAll(/Заявка\.Вставить\("(\w+)"/g)].map(([, name]) => name)
  const draft = { ...pick(values, drafted), [added]: cabinets[0]?.id }
  const [, method = '', path = ''] = /Запросить\("(POST)", "([^"]+)"/.exec(text) ?? []

  const searching = functionOf('НайтиПриемку')
  const [search] = pathIn(searching)
  const find = () => ask('GET', `${search}${encodeURIComponent('ПТ-1/2')}`)
  assert.deepEqual((await find()).body.items, [])
  const made = await ask(method, path, draft)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.equal((await ask(method, path, draft)).status, 200)
  const [field = ''] = fieldsRead(searching, 'Ответ\\.Тело')
  const [found] = (await find()).body[field] as Record<string, unknown>[]
  for (const name of ['id', 'number', 'status']) assert.equal(found?.[name], made.body[name])
})

test('feed.bsl reads the stock page by page', async (t) => {
  const { seller } = await scene(t)
  const ask = calls1C(seller)
  const text = functionOf('Остатки')
  const [path, parameter] = pathIn(text)
  assert.deepEqual(fieldsRead(text, 'Ответ\\.Тело'), ['items', 'next_cursor'])
  const read = fieldsRead(text, 'Товар')
  assert.deepEqual(read, ['barcode', 'quantity', 'available', 'in_question'])
  const small = path.replace('limit=1000', 'limit=20')
  assert.notEqual(small, path)
  const first = await ask('GET', small)
  const cursor = encodeURIComponent(String(first.body.next_cursor))
  const second = await ask('GET', `${small}${parameter}${cursor}`)
  const items = [first, second].flatMap(({ body }) => body.items as Record<string, unknown>[])
  assert.equal(items.length, first.body.total)
  for (const item of items) for (const field of read) assert.ok(field in item, field)
  assert.equal(second.body.next_cursor, null)
})

function pick(values: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  assert.deepEqual(names, Object.keys(values))
  return values
}

function publicSchema(name: string): object {
  const document = JSON.parse(
    readFileSync(new URL('../../openapi/public.json', import.meta.url), 'utf8'),
  ) as { components: { schemas: Record<string, { properties: object }> } }
  return document.components.schemas[name]?.properties ?? {}
}

test('the guide leads to the programs', async () => {
  const base = 'https://api.example.ru'
  const text = guide(base)
  for (const file of ['feed.py', 'feed.php', 'feed.bsl']) {
    assert.ok(text.includes(`(${base}/docs/samples/${file})`), file)
    const served = await referencePage(publicApi, base, `samples/${file}`)
    assert.equal(served.body, readFileSync(pathOf(file), 'utf8'))
  }
})
