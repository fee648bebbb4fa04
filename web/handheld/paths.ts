/** Every address of the handheld, once. */
export const paths = {
  home: '/staff/scan',
  station: '/staff/scan/labels',
  /** Choosing a station, and back to where it was wanted. */
  stationFor: (back: string) => `/staff/scan/labels?back=${encodeURIComponent(back)}`,
  returns: '/staff/scan/returns',
  walkIn: '/staff/scan/walk-in',
  placing: '/staff/scan/placing',
  /** With the box or pallet in hand. */
  placingOf: (sscc: string) => `/staff/scan/placing?held=${encodeURIComponent(sscc)}`,
  returnBatch: (id: string) => `/staff/scan/returns/${id}`,
  findParcel: '/staff/scan/checking',
  checking: (id: string, orderId?: string) =>
    `/staff/scan/checking/${id}${orderId === undefined ? '' : `?order=${orderId}`}`,
  counting: (id: string) => `/staff/scan/counting/${id}`,
  units: '/staff/scan/units',
  unitsAt: (verb: 'put' | 'take', kind: 'box' | 'location', code: string) =>
    `/staff/scan/units?verb=${verb}&${kind}=${encodeURIComponent(code)}`,
  picking: (id: string) => `/staff/scan/picking/${id}`,
  receiving: (id: string) => `/staff/scan/receiving/${id}`,
  code: (code: string) => `/staff/scan/code?code=${encodeURIComponent(code)}`,
} as const

/** The same as the router matches them. */
export const routes = {
  home: paths.home,
  station: paths.station,
  returns: paths.returns,
  walkIn: paths.walkIn,
  placing: paths.placing,
  returnBatch: '/staff/scan/returns/:id',
  findParcel: paths.findParcel,
  checking: '/staff/scan/checking/:id',
  counting: '/staff/scan/counting/:id',
  units: paths.units,
  picking: '/staff/scan/picking/:id',
  receiving: '/staff/scan/receiving/:id',
  code: '/staff/scan/code',
} as const
