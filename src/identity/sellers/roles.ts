/** Roles of sellers' users in ascending order: each may do everything that the roles before it may. */
export const sellerRoles = ['viewer', 'receipts', 'owner'] as const
export type SellerRole = (typeof sellerRoles)[number]

export const sellerRoleLabels: Readonly<Record<SellerRole, string>> = {
  viewer: 'просмотр',
  receipts: 'заявки на приёмку',
  owner: 'владелец',
}

/** Whether a role may do what `needed` may. */
export function coversSeller(role: SellerRole, needed: SellerRole): boolean {
  return sellerRoles.indexOf(role) >= sellerRoles.indexOf(needed)
}
