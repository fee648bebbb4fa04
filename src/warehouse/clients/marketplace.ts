export const marketplaces = ['WB', 'OZON'] as const
export type Marketplace = (typeof marketplaces)[number]

/**
 * Where the shipments of a cabinet's orders are made: here, or on the marketplace's own site. An observed
 * cabinet is only read: nothing changes at the marketplace, no units move here, and only staff see its orders.
 */
export const shipmentsPlaces = ['ours', 'mirrored', 'observe'] as const
export type ShipmentsPlace = (typeof shipmentsPlaces)[number]
