import type { SellerMember } from '../../api/staff-calls.ts'

/** What people of a client may do in the account; each role may what the ones before may. */
export const sellerRoles: Readonly<Record<SellerMember['role'], string>> = {
  viewer: 'смотрит',
  receipts: 'подаёт заявки на приёмку',
  owner: 'владелец: люди, ключи и вебхуки',
}
