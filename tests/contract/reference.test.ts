import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Compile } from 'typebox/schema'
import { documentOf, publicApi, referencePage } from '../../scripts/documents.ts'
import { deliveryStatuses } from '../../src/exchange/webhooks/view.ts'
import { errorStatus } from '../../src/http/route/operation.ts'
import { readKey } from '../../src/platform/kernel/api-key.ts'
import { type PublicErrorCode, publicErrors } from '../../src/platform/kernel/errors.ts'
import { triggerNames } from '../../src/sandbox/triggers/triggers.ts'
import { eventTypes } from '../../src/warehouse/events/catalogue.ts'
import { orderStatuses, orderStatusLabels } from '../../src/warehouse/orders/state.ts'
import { receiptStatuses, receiptStatusLabels } from '../../src/warehouse/receipts/state.ts'
import { shipmentStatuses, shipmentStatusLabels } from '../../src/warehouse/shipments/state.ts'

interface Media {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Content {
  readonly content?: Readonly<Record<string, Media>>
  readonly headers?: Readonly<Record<string, object>>
}
interface Parameter {
  readonly in: string
  readonly name: string
  readonly example?: string
  readonly schema: Schema
}
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
interface Document {
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, { properties?: Readonly<Record<string, Schema>> }>>
    readonly headers: Readonly<Record<string, { readonly description: string }>>
  }
}
interface Contacts {
  readonly info: { readonly description: string; readonly contact: object }
}
interface Schema {
  readonly format?: string
  readonly anyOf?: readonly object[]
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

const kept = readFileSync(new URL(`../../${publicApi.path}`, import.meta.url), 'utf8')
const document = JSON.parse(kept) as Document
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
const events = Object.values(document.webhooks).map(({ post }) => post)
const codes = Object.keys(publicErrors).sort()

/** Every body of the document, named: requests, and answers by status. */
const bodies = [...operations, ...events].flatMap(({ operationId, requestBody, responses }) =>
  [
    { name: `${operationId} request`, status: 0, content: requestBody?.content },
    ...Object.entries(responses).map(([status, { content }]) => ({
      name: `${operationId} ${status}`,
      status: Number(status),
      content,
    })),
  ].flatMap(({ content, ...body }) =>
    // A file has no example that a page could show.
    Object.entries(content ?? {})
      .filter(([type]) => type === 'application/json')
      .map(([, media]) => ({ ...body, media })),
  ),
)

/** The errors of a value against a schema of the document, with its references. */
function complaints(schema: object, value: unknown): unknown[] {
  return Compile({ ...schema, components: document.components }).Errors(value)[1]
}

test('pictures of the introduction have relative addresses: the page shows no others', async () => {
  const { info } = JSON.parse(await documentOf(publicApi)) as Contacts
  const pictures = [...info.description.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(
    ([, address]) => address,
  )
  assert.notEqual(pictures.length, 0)
  for (const address of pictures) assert.match(address ?? '', /^\/docs\/pictures\//)
})

test('the document in openapi/ is up to date; "npm run openapi" writes it', async () => {
  // Not assert.equal: it would print both documents.
  assert.ok(kept === (await documentOf(publicApi)), 'run "npm run openapi"')
})

test('components have names of their own', () => {
  const names = Object.keys(document.components.schemas)
  assert.ok(names.includes('Receipt') && names.includes('ReceiptDraft'), names.join(' '))
  for (const name of names) assert.match(name, /^([A-Z][a-z]+)+$/)
})

test('the codes of errors are the same in the registry, the document and the guide', () => {
  const schema = document.components.schemas.Error?.properties?.error?.properties?.code
  assert.deepEqual([...(schema?.enum ?? [])].sort(), codes)

  const rows = [...document.info.description.matchAll(/^- \*\*(\d{3})\*\* `(\w+)` —/gm)]
  const documented = Object.fromEntries(rows.map(([, status, code]) => [code, Number(status)]))
  const known = Object.entries(errorStatus).filter(([code]) => code in publicErrors)
  assert.deepEqual(documented, Object.fromEntries(known))
  assert.equal(rows.length, codes.length)
})

test('the guide explains every status of orders, receipts, shipments and deliveries', () => {
  const { description } = document.info
  const start = description.indexOf('## Статусы')
  const chapter = description.slice(start, description.indexOf('\n## ', start + 1))
  const sections = chapter.split('\n### ').slice(1)
  const explained = sections.map((section) =>
    [...section.matchAll(/^- `([A-Z_]+)`/gm)].map(([, status]) => status),
  )
  const all = [orderStatuses, receiptStatuses, shipmentStatuses, deliveryStatuses]
  assert.deepEqual(
    explained,
    all.map((statuses) => [...statuses]),
  )
  const labels = { ...orderStatusLabels, ...receiptStatusLabels, ...shipmentStatusLabels }
  for (const label of Object.values(labels)) assert.ok(chapter.includes(`«${label}»`), label)
})

test('every code is an answer of some operation, under its own status', () => {
  const answered = bodies
    .filter(({ status }) => status >= 400)
    .flatMap(({ status, media }) =>
      Object.keys(media.examples ?? {}).map((code) => ({ code, status })),
    )
  for (const { code, status } of answered) {
    assert.equal(errorStatus[code as PublicErrorCode], status, code)
  }
  assert.deepEqual([...new Set(answered.map(({ code }) => code))].sort(), codes)
})

test('every body has an example, and every example fits its schema', () => {
  assert.ok(bodies.length > 50)
  for (const { name, media } of bodies) {
    const examples = Object.values(media.examples ?? {}).map(({ value }) => value)
    if (media.example !== undefined) examples.push(media.example)
    assert.ok(examples.length > 0, `${name} has no example; "npm run examples" gathers them`)
    for (const example of examples) assert.deepEqual(complaints(media.schema, example), [], name)
  }
})

test('the check finds an example that does not fit', () => {
  const receipt = { $ref: '#/components/schemas/Receipt' }
  assert.notDeepEqual(complaints(receipt, { id: 1 }), [])
})

test('no service accepts the key in the examples', () => {
  const shown = kept.match(/svc_(live|test)_[0-9A-Za-z]{10,}/g) ?? []
  assert.ok(shown.length > 0)
  for (const key of shown) {
    assert.match(key, /^svc_test_[0-9A-Za-z]{49}$/)
    assert.equal(readKey(key), undefined)
  }
})

test('the secrets in the examples are no secrets', () => {
  const shown = new Set(kept.match(/whsec_[\w-]{10,}/g))
  assert.deepEqual([...shown], ['whsec_ExampleExampleExampleExampleExampleExample00'])
})

test('every type of event is described', () => {
  assert.deepEqual(Object.keys(document.webhooks), [...eventTypes])
})

test('each header of answers is described once', () => {
  const answers = operations.flatMap(({ responses }) => Object.values(responses))
  const headers = answers.flatMap((answer) => Object.entries(answer.headers ?? {}))
  assert.ok(headers.length > 100)
  for (const [name, header] of headers) {
    assert.deepEqual(header, { $ref: `#/components/headers/${name}` })
    assert.ok(document.components.headers[name]?.description, name)
  }
})

test('generators find a type for each value and no const, and the names of situations', () => {
  const untyped: string[] = []
  const look = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return
    const schema = value as { type?: unknown; anyOf?: { type?: unknown }[]; const?: unknown }
    if (schema.const !== undefined || schema.anyOf?.some((each) => each.type === undefined)) {
      untyped.push(place)
    }
    for (const [name, each] of Object.entries(value)) look(each, `${place}/${name}`)
  }
  look(document, '')
  assert.deepEqual(untyped, [])
  const [name] =
    operations.find(({ operationId }) => operationId === 'playSandboxTrigger')?.parameters ?? []
  assert.deepEqual(name?.schema.enum, triggerNames)
})

test('every parameter of a path has an example, and every time has a format', () => {
  const parameters = operations.flatMap((operation) => operation.parameters ?? [])
  const unshown = parameters.filter((each) => each.in === 'path' && !each.example)
  assert.deepEqual(unshown, [])
  const times = parameters.filter(({ name }) => /^(created_from|created_to|from|to)$/.test(name))
  assert.ok(times.length > 5)
  for (const { schema } of times) {
    assert.deepEqual(schema.anyOf, [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ])
  }
  for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
    for (const [field, schema] of Object.entries(properties)) {
      if (!/(_at|_date|^since|^until)$/.test(field)) continue
      assert.ok(schema.format === 'date-time' || schema.anyOf !== undefined, `${name}.${field}`)
    }
  }
})

test('an answer without a body says so', () => {
  const bodiless = operations.flatMap(({ responses }) =>
    ['204', '304'].flatMap((status) => responses[status] ?? []),
  )
  assert.ok(bodiless.length > 0)
  for (const answer of bodiless) assert.equal(answer.content, undefined)
})

test('the page loads nothing from other hosts', async () => {
  const page = await referencePage(publicApi, 'https://api.example.ru')
  assert.match(page.body, /<title>Sklad: интерфейс фулфилмента<\/title>/)
  assert.doesNotMatch(page.body, /(?:src|href)="(?:https?:)?\/\//)
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /default-src 'self'/)
  assert.deepEqual(policy.match(/https?:\/\/[^ ;]+/g), ['https://api.example.ru'])
})

test('browsers load the script of the page compressed, and once for all', async () => {
  const page = await referencePage(publicApi, 'https://api.example.ru')
  const [, path = ''] = /<script defer src="([^"]+)"/.exec(page.body) ?? []
  assert.match(String(page.headers.link), new RegExp(`</docs/${path.replace('?', '\\?')}>`))
  const script = await referencePage(publicApi, 'https://api.example.ru', path, 'br')
  assert.equal(script.headers['content-encoding'], 'br')
  assert.ok(script.rawPayload.length < 1_500_000, `${script.rawPayload.length} bytes`)
  assert.match(String(script.headers['cache-control']), /max-age=31536000, immutable/)
})

test('the reference names the configured support', async () => {
  const named = async (contact?: string) => {
    const { info } = JSON.parse(await documentOf(publicApi, contact)) as Contacts
    return { contact: info.contact, advice: /Пишите[^.]*\./.exec(info.description)?.[0] }
  }
  assert.deepEqual(await named(), {
    contact: { name: 'Менеджер вашего склада' },
    advice: 'Пишите менеджеру вашего склада.',
  })
  const { contact, advice } = await named('https://help.example.ru/')
  assert.deepEqual(contact, { name: 'Поддержка склада', url: 'https://help.example.ru/' })
  assert.match(String(advice), /help/)
  const { contact: byMail } = await named('help@example.ru')
  assert.deepEqual(byMail, { name: 'Поддержка склада', email: 'help@example.ru' })
})

test('a deep link shows its operation before the script of the page has run', async () => {
  const page = await referencePage(publicApi, 'https://api.example.ru')
  const [, introduction = ''] = /<main>([\s\S]*?)<\/main>/.exec(page.body) ?? []
  assert.match(introduction, /^<h1>Sklad: интерфейс фулфилмента<\/h1>.*<h2>Рецепты<\/h2>/s)
  assert.doesNotMatch(introduction, /\]\(|![А-Я]/)
  const look = (at: string) => {
    const [, text] = page.body.split(`<template data-at="${at}">`)
    assert.ok(text, at)
    return text.slice(0, text.indexOf('</template>'))
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { tags, summary }] of Object.entries(methods)) {
      const text = look(`tag/${tags[0]?.toLowerCase()}/${method.toUpperCase()}${path}`)
      assert.ok(text.startsWith(`<h1>${summary}</h1>`), path)
    }
  }
  const orders = look('tag/заказы/GET/v1/orders')
  assert.match(orders, /<code>created_from<\/code> в строке запроса, string/)
  assert.match(look('tag/приёмки/POST/v1/receipts'), /<code>external_ref<\/code> string/)
  for (const [, title = ''] of document.info.description.matchAll(/^#{2,3} (.+)$/gm)) {
    const anchor = title.toLowerCase().replaceAll(',', '').replaceAll(' ', '-')
    assert.match(look(`description/${anchor}`), new RegExp(`^<h[23]>${title}</h[23]>`))
  }
  assert.match(look('description/частота'), /<code>X-RateLimit-Limit<\/code> — сколько запросов/)
  // The page itself stays small beside its script of a megabyte.
  const packed = await referencePage(publicApi, 'https://api.example.ru', '', 'br')
  assert.ok(packed.rawPayload.length < 30_000, `${packed.rawPayload.length}`)
})
