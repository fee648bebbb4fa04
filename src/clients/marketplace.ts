export const marketplaces = ['WB', 'OZON'] as const
export type Marketplace = (typeof marketplaces)[number]
