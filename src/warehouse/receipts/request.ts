import { isDeepStrictEqual } from 'node:util'
import { decideAlone, resultOf, type Verdict, verdictOf } from '../../platform/db/together.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { badRequest, ServiceError } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { type KnownProduct, lookUpProducts } from '../catalogue/product-lookup.ts'
import {
  type ReceiptRequestRecord,
  type Requester,
  recordReceiptRequests,
} from '../journal/receipt-journal.ts'
import type { ReceiptDraft } from './draft.ts'
import { insertReceipts, type NewReceipt } from './new-receipt.ts'
import {
  chooseCabinet,
  nameItems,
  readPlannedDate,
  refuseMixedMarking,
  refuseSameGoods,
  refuseWrongBarcodes,
} from './new-receipt-rules.ts'
import { findReceipts } from './queries.ts'
import { type IgnoredField, ignoredFields, type PendingReceipt } from './repeated-request.ts'
import type { Receipt } from './view.ts'

/** A seller's request of a receipt. */
export interface ReceiptRequest {
  readonly requester: Requester
  readonly draft: ReceiptDraft
  /** The caller's name for this request; without effect beside `external_ref`. */
  readonly idempotencyKey?: string | undefined
}

export interface RequestedReceipt {
  readonly receipt: Receipt
  /** False for a repeat of a request that is still pending, or has the same idempotency key: no receipt was created. */
  readonly created: boolean
  /** The fields in which a repeat differs from the first request. */
  readonly ignored: readonly IgnoredField[]
}

/** A request alone, like requestReceipts. Throws what it is refused with. */
export async function requestReceipt(
  work: Work,
  requester: Requester,
  draft: ReceiptDraft,
  idempotencyKey?: string,
): Promise<RequestedReceipt> {
  const request = { requester, draft, idempotencyKey }
  return resultOf(await decideAlone(work, requestReceipts, request))
}

/**
 * Sellers request receipts, any number of requests and clients in one transaction, with a verdict on each. The locks of
 * the clients' counters put requests of one client in order: of equal requests at once, one creates the receipt and the
 * others find it. Two requests of one name (external_ref, or without it an idempotency key) do not go together. The
 * journal entries are written in the same transaction. A request is refused with validation_error, mixed_marking,
 * cabinet_required or warehouse_unavailable, and with bad_request where another body came under its idempotency key.
 */
export async function requestReceipts(
  work: SharedWork,
  requests: readonly ReceiptRequest[],
): Promise<Verdict<RequestedReceipt>[]> {
  const decisions = await decideAll(work, requests)
  const made = decisions.flatMap((verdict) => (verdict.kind === 'done' ? [verdict.result] : []))
  const [written] = await Promise.all([
    insertReceipts(
      work,
      made.flatMap(({ created }) => created ?? []),
    ),
    recordReceiptRequests(
      work,
      made.map(({ record }) => record),
    ),
  ])
  return decisions.map((verdict) =>
    verdict.kind === 'done'
      ? { kind: 'done', result: requested(verdict.result, written) }
      : verdict,
  )
}

/** What is to be written for a request: a new receipt, or only that it repeats a pending one. */
interface Decision {
  readonly record: ReceiptRequestRecord
  readonly created?: NewReceipt
  readonly pending?: Receipt
  readonly ignored: readonly IgnoredField[]
}

function requested(
  { record, created, pending, ignored }: Decision,
  written: ReadonlyMap<string, Receipt>,
): RequestedReceipt {
  const receipt = pending ?? written.get(record.receiptId)
  if (receipt === undefined) throw new Error(`receipt ${record.receiptId} was not written`)
  return { receipt, created: created !== undefined, ignored }
}

interface ReadRequest extends ReceiptRequest {
  readonly clientId: string
  readonly plannedDate: string | undefined
}

function readRequest(request: ReceiptRequest): ReadRequest {
  refuseWrongBarcodes(request.draft.items)
  const plannedDate = readPlannedDate(request.draft.planned_date)
  return { ...request, clientId: request.requester.clientId, plannedDate }
}

async function decideAll(
  work: SharedWork,
  requests: readonly ReceiptRequest[],
): Promise<Verdict<Decision>[]> {
  const read = await Promise.all(requests.map((request) => verdictOf(() => readRequest(request))))
  const open = read.flatMap((verdict) => (verdict.kind === 'done' ? [verdict.result] : []))
  const known = await lookUp(work, open)
  const taken = new Set<string>()
  const decisions: Verdict<Decision>[] = []
  for (const verdict of read) {
    if (verdict.kind !== 'done') {
      decisions.push(verdict)
      continue
    }
    const name = nameOf(verdict.result)
    const decision = await verdictOf(() => decide(verdict.result, known))
    const isNew = decision.kind === 'done' && decision.result.created !== undefined
    decisions.push(isNew && name !== undefined && taken.has(name) ? { kind: 'apart' } : decision)
    if (isNew && name !== undefined) taken.add(name)
  }
  return decisions
}

/** The name by which a repeat of a request is known. */
function nameOf(request: ReadRequest): string | undefined {
  const { clientId, draft } = request
  if (draft.external_ref !== undefined) return `${clientId} ref ${draft.external_ref}`
  const key = keyOf(request)
  return key && keyName(clientId, key)
}

/** The idempotency key by which a repeat of a request is known. */
function keyOf({ draft, idempotencyKey }: ReceiptRequest): string | undefined {
  return draft.external_ref === undefined ? idempotencyKey : undefined
}

const keyName = (clientId: string, key: string) => `${clientId} key ${key}`

function decide(request: ReadRequest, known: Known): Decision {
  const { clientId, requester, draft, plannedDate } = request
  const client = known.clients.get(clientId)
  if (client === undefined) throw new Error(`client ${clientId} is gone`)
  const keyed = known.keyed.get(nameOf(request) ?? '')
  if (keyed !== undefined) return repeatByKey(request, keyed)
  const items = nameItems(draft.items, known.products.get(request) ?? new Map())
  refuseMixedMarking(draft.items)
  const cabinetId = chooseCabinet(client.cabinets, draft.cabinet_id, 'seller')
  const pending = known.pending.get(nameOf(request) ?? '')
  if (pending !== undefined) {
    const { receipt } = pending
    return {
      record: { requester, receiptId: receipt.id, outcome: 'repeated', body: draft },
      pending: receipt,
      ignored: ignoredFields(draft, { cabinetId, plannedDate }, pending),
    }
  }
  refuseSameGoods(
    draft.items,
    items.map(({ barcode }) => barcode),
  )
  if (!client.intake_open) throw new ServiceError('warehouse_unavailable')
  const id = newId()
  return {
    record: {
      requester,
      receiptId: id,
      outcome: 'created',
      body: draft,
      idempotencyKey: keyOf(request),
    },
    created: {
      clientId,
      id,
      cabinetId,
      status: 'PENDING_CONFIRMATION',
      source: 'api',
      externalRef: draft.external_ref,
      comment: draft.comment,
      plannedDate,
      items: items.map(({ honest_mark: honestMark, ...item }) => ({ ...item, honestMark })),
    },
    ignored: [],
  }
}

/** Unlike external_ref, a key stands for one request for ever, whatever became of its receipt. */
function repeatByKey({ requester, draft }: ReadRequest, { receipt, body }: KeyedReceipt): Decision {
  if (!isDeepStrictEqual(JSON.parse(body), JSON.parse(JSON.stringify(draft)))) {
    throw badRequest(
      'Idempotency-Key: с этим ключом уже пришла другая заявка. Повторите её без изменений или возьмите новый ключ',
    )
  }
  const record = { requester, receiptId: receipt.id, outcome: 'repeated', body: draft } as const
  return { record, pending: receipt, ignored: [] }
}

interface Known {
  readonly clients: ReadonlyMap<string, LockedClient>
  readonly products: ReadonlyMap<ReadRequest, ReadonlyMap<string, KnownProduct>>
  /** By the name of the request. */
  readonly pending: ReadonlyMap<string, PendingReceipt>
  readonly keyed: ReadonlyMap<string, KeyedReceipt>
}

/** The receipt of an idempotency key, and the body that created it. */
interface KeyedReceipt {
  readonly receipt: Receipt
  readonly body: string
}

async function lookUp(work: SharedWork, requests: readonly ReadRequest[]): Promise<Known> {
  if (requests.length === 0) {
    return { clients: new Map(), products: new Map(), pending: new Map(), keyed: new Map() }
  }
  const clients = await lockClients(work, requests)
  const [products, pending, keyed] = await Promise.all([
    productsOf(work, requests),
    findPending(work, requests),
    findKeyed(work, requests),
  ])
  return { clients, products, pending, keyed }
}

interface LockedClient {
  id: string
  intake_open: boolean
  cabinets: string[]
}

/** Locks in the order of clients, so that two transactions never wait for each other in a circle. */
async function lockClients(
  { tx }: SharedWork,
  requests: readonly ReadRequest[],
): Promise<ReadonlyMap<string, LockedClient>> {
  const ids = [...new Set(requests.map(({ clientId }) => clientId))].toSorted()
  const rows = await tx<LockedClient[]>`
    select l.id, w.intake_open, array(select k.id from cabinets k where k.client_id = l.id) as cabinets
    from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select client_id as id from client_counters where client_id = wanted.id offset 0 for update
    ) l
    join clients c on c.id = l.id
    join warehouses w on w.code = c.warehouse_code`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Requests of one client that name the same cabinet share a statement. */
async function productsOf(
  { tx }: SharedWork,
  requests: readonly ReadRequest[],
): Promise<Known['products']> {
  const groups = Map.groupBy(requests, ({ clientId, draft }) => `${clientId} ${draft.cabinet_id}`)
  const found = [...groups.values()].map(async (group) => {
    const { clientId, draft } = group[0] as ReadRequest
    const barcodes = new Set(group.flatMap(({ draft }) => draft.items.map((item) => item.barcode)))
    const products = await lookUpProducts(tx, clientId, [...barcodes], draft.cabinet_id)
    return group.map((request) => [request, products] as const)
  })
  return new Map((await Promise.all(found)).flat())
}

async function findPending(
  { tx }: SharedWork,
  requests: readonly ReadRequest[],
): Promise<ReadonlyMap<string, PendingReceipt>> {
  const named = requests.filter(({ draft }) => draft.external_ref !== undefined)
  if (named.length === 0) return new Map()
  const clientIds = named.map(({ clientId }) => clientId)
  const references = named.map(({ draft }) => draft.external_ref ?? '')
  // Behind `offset 0` the number alone finds the receipts. Planned while few are pending, the statement could read all that
  // are pending later.
  const rows = await tx<{ clientId: string; ref: string; id: string; cabinetId: string | null }[]>`
    select r.client_id as "clientId", n.external_ref as ref, r.id, r.cabinet_id as "cabinetId"
    from (
      select distinct client_id, external_ref
      from unnest(${clientIds}::uuid[], ${references}::text[]) as n (client_id, external_ref)
    ) n
    cross join lateral (
      select * from receipts where client_id = n.client_id and external_ref = n.external_ref offset 0
    ) r
    where r.status = 'PENDING_CONFIRMATION' and r.source = 'api'`
  if (rows.length === 0) return new Map()
  const receipts = await findReceipts(tx, rows)
  return new Map(
    rows.flatMap(({ clientId, ref, id, cabinetId }) => {
      const receipt = receipts.get(id)
      const name = `${clientId} ref ${ref}`
      return receipt === undefined ? [] : [[name, { receipt, cabinetId }] as const]
    }),
  )
}

async function findKeyed(
  { tx }: SharedWork,
  requests: readonly ReadRequest[],
): Promise<Known['keyed']> {
  const asked = requests.flatMap((request) => {
    const key = keyOf(request)
    return key === undefined ? [] : [{ clientId: request.clientId, key }]
  })
  if (asked.length === 0) return new Map()
  const rows = await tx<{ clientId: string; key: string; id: string; body: string }[]>`
    select j.client_id as "clientId", n.key, j.receipt_id as id, j.body
    from (
      select distinct client_id, key from unnest(${asked.map(({ clientId }) => clientId)}::uuid[],
        ${asked.map(({ key }) => key)}::text[]) as a (client_id, key)
    ) n
    cross join lateral (
      select * from receipt_journal where client_id = n.client_id and idempotency_key = n.key offset 0
    ) j`
  if (rows.length === 0) return new Map()
  const receipts = await findReceipts(tx, rows)
  return new Map(
    rows.flatMap(({ clientId, key, id, body }) => {
      const receipt = receipts.get(id)
      return receipt === undefined ? [] : [[keyName(clientId, key), { receipt, body }] as const]
    }),
  )
}
