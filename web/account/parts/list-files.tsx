import { queryOf } from '../../api/caller.ts'
import { ExportFiles, type ExportFormat } from '../../ui/lists/export-files.tsx'
import { account } from '../api.ts'

type Query = Readonly<Record<string, string>>

/** What the saved file of a list is called, beside its day. */
const names = {
  stock: 'остатки',
  cover: 'запас',
  sales: 'продажи',
  lots: 'сроки годности',
  orders: 'заказы',
  receipts: 'приёмки',
  shipments: 'отгрузки',
  returns: 'возвраты',
  movements: 'движения',
  charges: 'начисления',
  acts: 'акты',
  'billing-periods': 'месяцы',
  keys: 'ключи',
  'key-requests': 'заявки на ключи',
  webhooks: 'вебхуки',
  calls: 'вызовы API',
  events: 'события',
  users: 'пользователи',
  invitations: 'приглашения',
} as const

interface ListFilesProps {
  readonly list: keyof typeof names
  /** The filters of the list as it is shown. */
  readonly filter?: object
}

/** All rows of a list as a file, with the same filters. */
export function ListFiles({ list, filter }: ListFilesProps) {
  const asked = (format: ExportFormat): Query => ({ ...filter, format })
  return (
    <ExportFiles
      name={names[list]}
      hrefOf={(format) => `/account/v1/exports/${list}${queryOf(asked(format))}`}
      read={(format, given) => account(`GET /exports/${list}`, { query: asked(format), ...given })}
    />
  )
}

const namesOfParts = {
  deliveries: 'доставки',
  'receipt-items': 'состав приёмки',
  'return-items': 'состав возврата',
} as const

interface ObjectFilesProps {
  readonly list: keyof typeof namesOfParts
  readonly id: string
  readonly filter?: object
}

/** All rows that an object has, as a file. */
export function ObjectFiles({ list, id, filter }: ObjectFilesProps) {
  const asked = (format: ExportFormat): Query => ({ ...filter, format })
  return (
    <ExportFiles
      name={namesOfParts[list]}
      hrefOf={(format) => `/account/v1/exports/${list}/${id}${queryOf(asked(format))}`}
      read={(format, given) =>
        account(`GET /exports/${list}/{id}`, { path: { id }, query: asked(format), ...given })
      }
    />
  )
}
