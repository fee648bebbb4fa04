export const marketplaces = ['WB', 'OZON'] as const
export type Marketplace = (typeof marketplaces)[number]

/** Where the shipments of a cabinet's orders are made: here, or in the marketplace's own cabinet. */
export const shipmentsPlaces = ['ours', 'mirrored'] as const
export type ShipmentsPlace = (typeof shipmentsPlaces)[number]
