import type { FastifyRequest } from 'fastify'
import type { Database } from '../../../../platform/db/connection.ts'
import { ownerOfCount } from '../../../../warehouse/counts/queries.ts'
import { exceptionOwner } from '../../../../warehouse/exceptions/queries.ts'
import { ownerOfOrder } from '../../../../warehouse/orders/staff-queries.ts'
import type { PhotoSubject } from '../../../../warehouse/photos/kinds.ts'
import { receiptOwner } from '../../../../warehouse/receipts/staff-queries.ts'
import { ownerOfReturnBatch } from '../../../../warehouse/returns/batch-queries.ts'
import { clientInPath } from '../clients/clients.ts'
import { viewerOf } from '../receipts/receipts.ts'

/** Where photos are kept in the API: below the object that they are evidence of. */
export interface PhotoPlace {
  /** In the ids of its operations. */
  readonly name: 'Receipt' | 'Return' | 'Order' | 'Count' | 'Exception' | 'StockEntry'
  readonly tag: 'Приёмка' | 'Возвраты' | 'Заказы' | 'Остатки' | 'Сегодня'
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** In the genitive. */
  readonly of: string
  /** Throws not_found where this member sees no such object. */
  readonly subjectOf: (db: Database, request: FastifyRequest) => Promise<PhotoSubject>
}

export interface PhotoPath {
  readonly id: string
  readonly entry?: string
}

export const photoPlaces: readonly PhotoPlace[] = [
  {
    name: 'Receipt',
    tag: 'Приёмка',
    path: '/receipts/:id',
    params: { id: 'Идентификатор приёмки.' },
    of: 'приёмки',
    subjectOf: subjectBy('receipt', (db, id, request) => receiptOwner(db, id, viewerOf(request))),
  },
  {
    name: 'Return',
    tag: 'Возвраты',
    path: '/returns/:id',
    params: { id: 'Идентификатор приёма возвратов.' },
    of: 'приёма возвратов',
    subjectOf: subjectBy('return', ownerOfReturnBatch),
  },
  {
    name: 'Order',
    tag: 'Заказы',
    path: '/orders/:id',
    params: { id: 'Идентификатор заказа.' },
    of: 'заказа',
    subjectOf: subjectBy('order', ownerOfOrder),
  },
  {
    name: 'Count',
    tag: 'Остатки',
    path: '/counts/:id',
    params: { id: 'Идентификатор пересчёта.' },
    of: 'пересчёта',
    subjectOf: subjectBy('count', ownerOfCount),
  },
  {
    name: 'Exception',
    tag: 'Сегодня',
    path: '/exceptions/:id',
    params: { id: 'Идентификатор исключения.' },
    of: 'исключения',
    subjectOf: subjectBy('scan_exception', exceptionOwner),
  },
  {
    name: 'StockEntry',
    tag: 'Остатки',
    path: '/clients/:id/stock-entries/:entry',
    params: {
      id: 'Идентификатор клиента.',
      entry: 'Номер записи: `entry_id` списания, корректировки или вопроса.',
    },
    of: 'записи об остатке',
    subjectOf: async (db, request) => {
      const { id, entry = '' } = request.params as PhotoPath
      return {
        clientId: await clientInPath(db, id),
        kind: 'stock_entry',
        objectId: entry,
      }
    },
  },
]

function subjectBy(
  kind: PhotoSubject['kind'],
  ownerOf: (db: Database, id: string, request: FastifyRequest) => Promise<string>,
): PhotoPlace['subjectOf'] {
  return async (db, request) => {
    const { id } = request.params as PhotoPath
    return { clientId: await ownerOf(db, id, request), kind, objectId: id }
  }
}
