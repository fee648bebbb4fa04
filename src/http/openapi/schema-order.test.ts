import assert from 'node:assert/strict'
import test from 'node:test'
import Type from 'typebox'
import { named, namedSchemasIn } from '../../platform/kernel/schema.ts'
import { orderSchemas } from './schema-order.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('schemas come by tag, reads first, nested ones before all others of their tag', () => {
  const schemas = {
    Draft: {},
    Page: { items: [ref('Item')] },
    Item: { owner: ref('Owner') },
    Owner: {},
    Key: {},
    Error: {},
    Unused: {},
  }
  const document = {
    tags: [{ name: 'Keys' }, { name: 'Items' }],
    components: { schemas },
    paths: {
      '/items': {
        post: { tags: ['Items'], body: ref('Draft'), answer: ref('Item'), error: ref('Error') },
        get: { tags: ['Items'], answer: ref('Page') },
      },
      '/keys': { get: { tags: ['Keys'], answer: ref('Key'), error: ref('Error') } },
    },
  }
  orderSchemas(document)
  assert.deepEqual(Object.keys(document.components.schemas), [
    'Error',
    'Key',
    'Owner',
    'Item',
    'Page',
    'Draft',
    'Unused',
  ])
})

test('a reference leads to its schema, through optional fields and lists', () => {
  const Inner = Type.Object({ id: Type.String() }, { $id: 'Inner' })
  const Outer = Type.Object(
    { inner: Type.Optional(named(Inner)), all: Type.Array(named(Inner)) },
    { $id: 'Outer' },
  )
  const route = { response: { 200: { content: { json: { schema: named(Outer) } } } } }
  assert.deepEqual([...namedSchemasIn(route)], [Inner, Outer])
  assert.deepEqual(JSON.parse(JSON.stringify(named(Inner))), { $ref: 'Inner#' })
})
