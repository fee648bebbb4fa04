// Decision 0006: sandboxes are played by the verbs of live work. A function that only the sandbox calls would be a second
// way to change a warehouse, which no live caller tests.
import assert from 'node:assert/strict'
import test from 'node:test'
import { importsOf, readSources, roomOf, type Source } from './support/source-tree.ts'

const warehouse = ['orders', 'picking', 'receipts', 'shipments', 'stock', 'storage']
const live = ['http', 'marketplaces', 'commands']

/** Functions that change nothing, or that live work calls inside its own room. */
const exceptions = [
  // Live picks ask for proofs inside their own room (picking/picks.ts), of connected cabinets alone.
  'awaitProofs',
  // Finds the picking task of a shipment; staff have its id from their list.
  'pickingTaskOf',
  // The figures of a marketplace; live syncs write them through the same room.
  'replaceMarketplaceStock',
  // Live requests are taken in by the room (receipts/intake.ts), which calls it.
  'requestReceipt',
]

const sources = readSources()

/** Values, without types, that files of these rooms import from rooms of the warehouse. */
function importedBy(rooms: readonly string[]): Set<string> {
  return new Set(sources.filter(({ room }) => rooms.includes(room)).flatMap(valuesOf))
}

function valuesOf(source: Source): string[] {
  const paths = new Map(importsOf(source).map(({ target, path }) => [target, path]))
  const statements = source.text.matchAll(/^import \{([^}]*)\} from '([^']+)'/gm)
  return [...statements].flatMap(([, list = '', target = '']) => {
    const path = paths.get(target)
    if (path === undefined || !warehouse.includes(roomOf(path))) return []
    const names = list.split(',').map((name) => name.trim())
    return names.filter((name) => name !== '' && !name.startsWith('type '))
  })
}

test('the sandbox changes a warehouse only by functions that live work calls too', () => {
  const sandbox = importedBy(['sandbox'])
  for (const verb of ['countScan', 'registerReceipt', 'requestReceipt', 'pickUnits']) {
    assert.ok(sandbox.has(verb), verb)
  }
  assert.deepEqual([...sandbox.difference(importedBy(live))].sort(), exceptions)
})
