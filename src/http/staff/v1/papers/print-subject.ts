import type { FastifyRequest } from 'fastify'
import { boxLabelSvg } from '../../../../documents/labels/box-label.ts'
import { locationLabelSvg } from '../../../../documents/labels/location-label.ts'
import { paperHtml } from '../../../../documents/papers/html.ts'
import { joinPdfs } from '../../../../documents/papers/merge.ts'
import type { PrintKind } from '../../../../documents/printing/view.ts'
import {
  conflict,
  invalidField,
  notFound,
  ServiceError,
} from '../../../../platform/kernel/errors.ts'
import { fromTimestamp, toTimestamp } from '../../../../platform/kernel/moscow-time.ts'
import { findClient } from '../../../../warehouse/clients/clients.ts'
import { findOrderLabelFacts, ownerOfOrder } from '../../../../warehouse/orders/staff-queries.ts'
import { ownerOfShipment } from '../../../../warehouse/shipments/staff-queries.ts'
import type { StorageKind } from '../../../../warehouse/storage/boxes.ts'
import { locationSummary } from '../../../../warehouse/storage/location-queries.ts'
import { findLocationId } from '../../../../warehouse/storage/locations.ts'
import { findLabelFacts, findStored } from '../../../../warehouse/storage/queries.ts'
import { found } from '../../../route/list.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { memberOn } from '../../gate.ts'
import { refuseUnseen } from '../../member-warehouses.ts'
import { viewerOf } from '../receipts/receipts.ts'
import { paperFinders } from './documents.ts'
import {
  labelsContent,
  type PrintContent,
  stickerOfOrder,
  stickersOfShipment,
} from './marketplace-labels.ts'

/** What a print job prints: found when it is asked for, and again when it is printed. */
export interface PrintSubject {
  readonly objectId: string
  /** Undefined for a thing of the warehouse. */
  readonly clientId: string | undefined
  readonly warehouse: string
  readonly title: string
  readonly render: (copies: number) => Promise<PrintContent>
}

type Found = Omit<PrintSubject, 'warehouse'> & { readonly warehouse?: string }
type Find = (d: StaffDependencies, request: FastifyRequest, text: string) => Promise<Found>

const finders: Readonly<Record<PrintKind, Find>> = {
  'order-sticker': findOrderSticker,
  'shipment-stickers': findShipmentStickers,
  'box-label': (d, _, text) => findStoredLabel(d, 'box', text),
  'pallet-label': (d, _, text) => findStoredLabel(d, 'pallet', text),
  'location-label': findLocationLabel,
  receipt: paperOf('receipt'),
  return: paperOf('return'),
  count: paperOf('count'),
  shipment: paperOf('shipment'),
  'picking-task': paperOf('picking-task'),
}

/** The collections of things that are printed, where a collection has another name than its paper. */
const collections: Readonly<Partial<Record<PrintKind, string>>> = {
  'order-sticker': 'orders',
  'shipment-stickers': 'shipments',
  'box-label': 'boxes',
  'pallet-label': 'pallets',
  'location-label': 'locations',
}

/**
 * Finds what is printed, as the user of the request sees it. Throws not_found, also for a thing of a warehouse that
 * is not the user's, and conflict where it can't be printed.
 */
export async function findPrintSubject(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  kind: PrintKind,
  text: string,
): Promise<PrintSubject> {
  const own = memberOn(request).warehouses
  if (own.length > 0) {
    await refuseUnseen(dependencies.db, own, collections[kind] ?? `${kind}s`, text)
  }
  const subject = await finders[kind](dependencies, request, text)
  const { clientId } = subject
  const warehouse =
    subject.warehouse ??
    (clientId === undefined
      ? undefined
      : (await findClient(dependencies.db, clientId))?.warehouse_code)
  if (warehouse === undefined) throw notFound()
  return { ...subject, warehouse }
}

/** As above, where a body names the thing: throws validation_error instead of not_found. */
export async function printSubjectInBody(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  kind: PrintKind,
  text: string,
): Promise<PrintSubject> {
  try {
    return await findPrintSubject(dependencies, request, kind, text)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    throw invalidField('object_id', `${error.message.toLowerCase()}: проверьте kind и номер`)
  }
}

async function findOrderSticker(
  dependencies: StaffDependencies,
  _: FastifyRequest,
  id: string,
): Promise<Found> {
  const { db } = dependencies
  const clientId = await ownerOfOrder(db, id)
  const facts = found(await findOrderLabelFacts(db, clientId, id))
  const title = `Этикетка заказа ${facts.number}`
  return {
    ...{ objectId: id, clientId, title },
    render: async (copies) => {
      const { contentType, bytes } = await stickerOfOrder(dependencies, clientId, id, facts)
      if (contentType === 'application/pdf') return pdfContent(bytes, copies)
      return labelsContent(title, Array(copies).fill({ contentType, bytes }))
    },
  }
}

async function findShipmentStickers(
  dependencies: StaffDependencies,
  _: FastifyRequest,
  id: string,
): Promise<Found> {
  const clientId = await ownerOfShipment(dependencies.db, id)
  return {
    ...{ objectId: id, clientId, title: 'Этикетки всех заказов отгрузки' },
    render: async (copies) => {
      if (copies > 1) throw conflict('Этикетки отгрузки печатают по одному экземпляру')
      return stickersOfShipment(dependencies, clientId, id, 1)
    },
  }
}

const storedTitles = { box: 'Этикетка короба', pallet: 'Этикетка паллеты' } as const

async function findStoredLabel(
  { db }: StaffDependencies,
  kind: StorageKind,
  text: string,
): Promise<Found> {
  const stored = await findStored(db, kind, text)
  const { sscc, client, created_at } = await findLabelFacts(db, kind, stored)
  const title = `${storedTitles[kind]} ${sscc}`
  const label = { kind, sscc, client, createdAt: fromTimestamp(created_at), size: '58x40' } as const
  return {
    ...{ objectId: stored.id, clientId: stored.clientId, title },
    render: async (copies) => labelsOf(title, await boxLabelSvg(label), copies),
  }
}

async function findLocationLabel(
  { db }: StaffDependencies,
  request: FastifyRequest,
  text: string,
): Promise<Found> {
  const id = await findLocationId(db, text, memberOn(request).warehouses)
  const { code, zone, warehouse_code: warehouse } = found(await locationSummary(db, id))
  const title = `Этикетка места ${code}`
  return {
    ...{ objectId: id, clientId: undefined, warehouse, title },
    render: async (copies) =>
      labelsOf(title, await locationLabelSvg({ code, zone, warehouse }), copies),
  }
}

function paperOf(kind: keyof typeof paperFinders): Find {
  return async ({ db, clock }, request, id) => {
    const now = clock.now()
    const reader = { viewer: viewerOf(request), at: toTimestamp(now) }
    const { clientId, paper } = await paperFinders[kind](db, id, reader)
    return {
      ...{ objectId: id, clientId, title: paper.title },
      render: async (copies) => {
        return { type: 'text/html; charset=utf-8', body: paperHtml(paper, copies) }
      },
    }
  }
}

async function pdfContent(bytes: Buffer, copies: number): Promise<PrintContent> {
  const body = copies === 1 ? bytes : await joinPdfs([bytes], copies)
  return { type: 'application/pdf', body }
}

function labelsOf(title: string, svg: string, copies: number): PrintContent {
  return labelsContent(title, Array(copies).fill({ svg }))
}
