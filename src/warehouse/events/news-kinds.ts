/** What people are notified of: sellers of their own goods and programs, staff of what waits for a decision. */

export const sellerNews = [
  'receipt_discrepancy',
  'receipt_completed',
  'deadline_missed',
  'deadline_near',
  'return_damaged',
  'cover_low',
  'goods_expire',
  'key_refused',
  'key_ends',
  'sync_stands',
  'webhook_failing',
  'webhook_disabled',
  'key_decided',
  'act_issued',
] as const
export type SellerNews = (typeof sellerNews)[number]

export const staffNews = [
  'receipt_to_confirm',
  'miss',
  'mark_refused',
  'scan_exception',
  'key_asked',
] as const
export type StaffNews = (typeof staffNews)[number]

export type NewsKind = SellerNews | StaffNews
