import type { Database } from '../../platform/db/connection.ts'
import {
  type Breach,
  excerpt,
  invalidField,
  invalidFields,
  ServiceError,
} from '../../platform/kernel/errors.ts'
import { productOfScan } from '../catalogue/products.ts'
import { findLocationId, locationForClient } from '../storage/locations.ts'
import { findOfClient, findStoredIn } from '../storage/queries.ts'
import type { CountScope } from './expected.ts'

/** What a draft wants counted, and of which client. */

export interface DraftScope {
  readonly barcodes?: readonly string[] | undefined
  readonly boxes?: readonly string[] | undefined
  readonly locations?: readonly string[] | undefined
}

/**
 * Finds what a draft names; the error names everything that was not found. Where the client is not given, the boxes and
 * what lies at the locations tell it; with `warehouses` only those of these warehouses count. Throws validation_error
 * for what the client does not have, and where it is not certain which client is meant.
 */
export async function scopeOf(
  db: Database,
  client: string | undefined,
  draft: DraftScope,
  warehouses: readonly string[],
): Promise<{ readonly clientId: string; readonly scope: CountScope }> {
  const clientId = client ?? (await clientOf(db, draft, warehouses))
  const refused: Breach[] = []
  const each = (
    texts: readonly string[] | undefined,
    find: (text: string, n: number) => Promise<string>,
  ) =>
    Promise.all(
      [...new Set(texts ?? [])].map((text, n) =>
        find(text, n).catch((error: unknown) => {
          if (!(error instanceof ServiceError && error.breaches.length > 0)) throw error
          refused.push(...error.breaches)
          return ''
        }),
      ),
    )
  const barcodes = await each(draft.barcodes, async (text, n) => {
    const barcode = await productOfScan(db, clientId, text)
    const [known] = await db`
      select from products where client_id = ${clientId} and barcode = ${barcode}`
    if (known === undefined) {
      throw invalidField(`scope.barcodes[${n}]`, `у клиента нет товара ${excerpt(text)}`)
    }
    return barcode
  })
  const box_ids = await each(draft.boxes, async (text, n) => {
    const id = await findOfClient(db, 'box', clientId, text)
    if (id === undefined) {
      throw invalidField(`scope.boxes[${n}]`, `у клиента нет короба ${excerpt(text)}`)
    }
    return id
  })
  const location_ids = await each(draft.locations, (text, n) =>
    locationForClient(db, clientId, text, `scope.locations[${n}]`),
  )
  if (refused.length > 0) throw invalidFields(refused)
  return { clientId, scope: { barcodes, box_ids, location_ids } }
}

async function clientOf(
  db: Database,
  { boxes = [], locations = [] }: DraftScope,
  warehouses: readonly string[],
): Promise<string> {
  const owners = new Set<string>()
  for (const [n, text] of boxes.entries()) {
    owners.add(
      (await known(findStoredIn(db, 'box', text, warehouses), `scope.boxes[${n}]`)).clientId,
    )
  }
  for (const [n, text] of locations.entries()) {
    const id = await known(findLocationId(db, text, warehouses), `scope.locations[${n}]`)
    const rows = await db<{ client_id: string }[]>`
      select client_id from location_contents where location_id = ${id}
      union select client_id from boxes where location_id = ${id}
      union select client_id from pallets where location_id = ${id}`
    for (const { client_id } of rows) owners.add(client_id)
  }
  const [owner, ...others] = owners
  if (owner !== undefined && others.length === 0) return owner
  throw invalidField(
    'client_id',
    owner === undefined
      ? 'укажите, чьи товары считать'
      : 'здесь товары нескольких клиентов, укажите одного',
  )
}

/** What a path would answer not_found for is a wrong field of a body. */
async function known<T>(finding: Promise<T>, field: string): Promise<T> {
  try {
    return await finding
  } catch (error) {
    if (error instanceof ServiceError) throw invalidField(field, error.message)
    throw error
  }
}
