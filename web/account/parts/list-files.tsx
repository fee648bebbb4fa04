import { queryOf } from '../../api/caller.ts'
import { ExportFiles, type ExportFormat } from '../../ui/export-files.tsx'
import { account } from '../api.ts'

type Query = Readonly<Record<string, string>>

/** What the saved file is called, beside its day. */
const lists = {
  stock: { name: 'остатки', call: 'GET /exports/stock' },
  cover: { name: 'запас', call: 'GET /exports/cover' },
  sales: { name: 'продажи', call: 'GET /exports/sales' },
  lots: { name: 'сроки годности', call: 'GET /exports/lots' },
  orders: { name: 'заказы', call: 'GET /exports/orders' },
  receipts: { name: 'приёмки', call: 'GET /exports/receipts' },
  shipments: { name: 'отгрузки', call: 'GET /exports/shipments' },
  returns: { name: 'возвраты', call: 'GET /exports/returns' },
  movements: { name: 'движения', call: 'GET /exports/movements' },
  charges: { name: 'начисления', call: 'GET /exports/charges' },
  acts: { name: 'акты', call: 'GET /exports/acts' },
  'billing-periods': { name: 'месяцы', call: 'GET /exports/billing-periods' },
  keys: { name: 'ключи', call: 'GET /exports/keys' },
  'key-requests': { name: 'заявки на ключи', call: 'GET /exports/key-requests' },
  webhooks: { name: 'вебхуки', call: 'GET /exports/webhooks' },
  calls: { name: 'вызовы API', call: 'GET /exports/calls' },
  events: { name: 'события', call: 'GET /exports/events' },
  users: { name: 'пользователи', call: 'GET /exports/users' },
  invitations: { name: 'приглашения', call: 'GET /exports/invitations' },
} as const

interface ListFilesProps {
  readonly list: keyof typeof lists
  /** The filters of the list as it is shown. */
  readonly filter?: object
}

/** All rows of a list as a file, with the same filters. */
export function ListFiles({ list, filter }: ListFilesProps) {
  const { name, call } = lists[list]
  const asked = (format: ExportFormat): Query => ({ ...filter, format })
  return (
    <ExportFiles
      name={name}
      hrefOf={(format) => `/account/v1/exports/${list}${queryOf(asked(format))}`}
      read={(format, given) => account(call, { query: asked(format), ...given })}
    />
  )
}

const listsOfObjects = {
  deliveries: { name: 'доставки', call: 'GET /exports/deliveries/{id}' },
  'receipt-items': { name: 'состав приёмки', call: 'GET /exports/receipt-items/{id}' },
  'return-items': { name: 'состав возврата', call: 'GET /exports/return-items/{id}' },
} as const

interface ObjectFilesProps {
  readonly list: keyof typeof listsOfObjects
  readonly id: string
  readonly filter?: object
}

/** All rows that an object has, as a file. */
export function ObjectFiles({ list, id, filter }: ObjectFilesProps) {
  const { name, call } = listsOfObjects[list]
  const asked = (format: ExportFormat): Query => ({ ...filter, format })
  return (
    <ExportFiles
      name={name}
      hrefOf={(format) => `/account/v1/exports/${list}/${id}${queryOf(asked(format))}`}
      read={(format, given) => account(call, { path: { id }, query: asked(format), ...given })}
    />
  )
}
