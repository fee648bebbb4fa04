export const marketplaces = ['WB', 'OZON'] as const
export type Marketplace = (typeof marketplaces)[number]

/** Where the shipments of a cabinet's orders are made: here, or on the marketplace's own site. */
export const shipmentsPlaces = ['ours', 'mirrored'] as const
export type ShipmentsPlace = (typeof shipmentsPlaces)[number]
