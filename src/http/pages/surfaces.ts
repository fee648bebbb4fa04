/** Rooms of the account. Its pages stand beside its API, so they are named one by one. */
const accountRooms = [
  'sales',
  'stock',
  'cover',
  'movements',
  'lots',
  'orders',
  'receipts',
  'shipments',
  'returns',
  'metrics',
  'keys',
  'webhooks',
  'events',
  'calls',
  'users',
  'notices',
  'open',
  'security',
  'sandbox',
  'invitation',
  'password',
] as const

/** The rooms whose pages come in files of their own: those are asked for together with the first script. */
const accountSources: Readonly<Partial<Record<(typeof accountRooms)[number], string>>> = {
  sales: 'web/account/goods/sales.tsx',
  stock: 'web/account/goods/stock.tsx',
  cover: 'web/account/goods/cover.tsx',
  movements: 'web/account/goods/movements.tsx',
  lots: 'web/account/goods/lots.tsx',
  orders: 'web/account/goods/orders.tsx',
  receipts: 'web/account/goods/receipts.tsx',
  shipments: 'web/account/goods/shipments.tsx',
  returns: 'web/account/goods/returns.tsx',
  metrics: 'web/account/goods/metrics.tsx',
  keys: 'web/account/developers/keys.tsx',
  webhooks: 'web/account/developers/webhooks.tsx',
  events: 'web/account/developers/events.tsx',
  calls: 'web/account/developers/calls.tsx',
  sandbox: 'web/account/developers/sandbox.tsx',
  users: 'web/account/people/users.tsx',
  notices: 'web/account/people/notices.tsx',
  security: 'web/account/people/security.tsx',
}

/** What a page needs first beside the files of its surface. */
export interface FirstNeeds {
  /** The source of the page. */
  readonly source?: string | undefined
  /**
   * Calls that the script makes as soon as it runs. The browser keeps their answers for the script's first call: a refusal
   * that is not taken before somebody signs in would be taken afterwards.
   */
  readonly calls: readonly string[]
}

const whoInAccount = '/account/v1/session?optional=true'

/** By path. */
export const firstNeeds: Readonly<Record<string, FirstNeeds>> = {
  '/account': { calls: [whoInAccount] },
  ...Object.fromEntries(
    Object.entries(accountSources).map(([room, source]) => [
      `/account/${room}`,
      { source, calls: [whoInAccount] },
    ]),
  ),
}

/** A surface is a set of pages for one kind of people, with a script and a style of its own. */
export const surfaces = {
  front: { source: 'web/front/main.tsx', title: 'Sklad', paths: ['/'] },
  console: {
    source: 'web/console/main.tsx',
    title: 'Sklad: склад',
    paths: ['/staff/app', '/staff/app/*'],
  },
  handheld: {
    source: 'web/handheld/main.tsx',
    title: 'Sklad: терминал',
    paths: ['/staff/scan', '/staff/scan/*'],
  },
  kiosk: {
    source: 'web/kiosk/main.tsx',
    title: 'Sklad: печать',
    paths: ['/staff/print'],
  },
  wall: {
    source: 'web/wall/main.tsx',
    title: 'Sklad: экран',
    paths: ['/staff/wall'],
  },
  account: {
    source: 'web/account/main.tsx',
    title: 'Sklad: личный кабинет',
    paths: [
      '/account',
      '/account/',
      // What is neither a room nor the API gets the page that says so.
      '/account/:room(^(?!v1$).+$)',
      ...accountRooms.flatMap((room) => [`/account/${room}`, `/account/${room}/*`]),
    ],
  },
} as const

export type SurfaceName = keyof typeof surfaces
