import { queryOf } from '../../api/caller.ts'
import { ExportFiles, type ExportFormat } from '../../ui/export-files.tsx'
import { account } from '../api.ts'

type Query = Readonly<Record<string, string>>

interface Given {
  readonly signal: AbortSignal
  readonly onBytes: (bytes: number) => void
}

const lists = {
  orders: {
    name: 'заказы',
    read: (query: Query, given: Given) => account('GET /exports/orders', { query, ...given }),
  },
  receipts: {
    name: 'приёмки',
    read: (query: Query, given: Given) => account('GET /exports/receipts', { query, ...given }),
  },
  shipments: {
    name: 'отгрузки',
    read: (query: Query, given: Given) => account('GET /exports/shipments', { query, ...given }),
  },
  returns: {
    name: 'возвраты',
    read: (query: Query, given: Given) => account('GET /exports/returns', { query, ...given }),
  },
  movements: {
    name: 'движения',
    read: (query: Query, given: Given) => account('GET /exports/movements', { query, ...given }),
  },
  charges: {
    name: 'начисления',
    read: (query: Query, given: Given) => account('GET /exports/charges', { query, ...given }),
  },
  acts: {
    name: 'акты',
    read: (query: Query, given: Given) => account('GET /exports/acts', { query, ...given }),
  },
  keys: {
    name: 'ключи',
    read: (query: Query, given: Given) => account('GET /exports/keys', { query, ...given }),
  },
  calls: {
    name: 'вызовы API',
    read: (query: Query, given: Given) => account('GET /exports/calls', { query, ...given }),
  },
  events: {
    name: 'события',
    read: (query: Query, given: Given) => account('GET /exports/events', { query, ...given }),
  },
  users: {
    name: 'пользователи',
    read: (query: Query, given: Given) => account('GET /exports/users', { query, ...given }),
  },
} as const

interface ListFilesProps {
  readonly list: keyof typeof lists
  /** The filters of the list as it is shown. */
  readonly filter: object
}

/** All rows of a list as a file, with the same filters. */
export function ListFiles({ list, filter }: ListFilesProps) {
  const { name, read } = lists[list]
  const asked = (format: ExportFormat) => ({ ...filter, format })
  return (
    <ExportFiles
      name={name}
      hrefOf={(format) => `/account/v1/exports/${list}${queryOf(asked(format))}`}
      read={(format, given) => read(asked(format), given)}
    />
  )
}
