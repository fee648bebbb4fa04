import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { accountUser } from '../support/account.ts'
import { newSandboxKey, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'

/** A part of a path that the database cannot store names nothing, at every path of all interfaces. */
const service = await sharedService()
const { baseUrl } = service
const anybody = openClient(baseUrl, undefined, false)
const admin = await staffClient(service, 'administrator')
const client = good<{ id: string }>(await admin.post('/clients', { name: 'ООО «Путь»' }), 201).id
const user = await accountUser(service, { [client]: 'owner' })
const key = await newSandboxKey(service)

type Credentials = Readonly<Record<string, string>>
const interfaces: readonly (readonly [string, Credentials])[] = [
  ['', { Authorization: `Bearer ${key}` }],
  ['/account', { Cookie: user.cookie }],
  ['/staff', { Authorization: `Bearer ${admin.token}` }],
]
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

for (const [prefix, credentials] of interfaces) {
  const document = (await (await fetch(`${baseUrl}${prefix}/openapi.json`)).json()) as Document
  const paths = Object.entries(document.paths).filter(([path]) => path.includes('{'))
  suite(`at ${prefix}/v1`, () => {
    for (const [path, operations] of paths) {
      for (const [method, { requestBody }] of Object.entries(operations)) {
        const parameters = [...path.matchAll(/\{\w+\}/g)].map(([parameter]) => parameter)
        test(`${method} ${path} is not found with NUL in it`, async () => {
          for (const bad of parameters) {
            const named = path.replace(bad, 'a%00b').replaceAll(/\{\w+\}/g, client)
            const [type] = Object.keys(requestBody?.content ?? {})
            const answer = await anybody.call(named, {
              method: method.toUpperCase(),
              headers: { ...credentials, ...(type && { 'Content-Type': type }) },
              ...(type && { body: '{}' }),
            })
            assert.deepEqual([answer.status, answer.code], [404, 'not_found'], named)
          }
        })
      }
    }
    test('there are such paths', () => assert.ok(paths.length > 3))
  })
}
