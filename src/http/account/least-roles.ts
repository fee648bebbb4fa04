import type { FastifyInstance } from 'fastify'
import type { SellerRole } from '../../identity/sellers/roles.ts'

/** The least role of every operation of the account that changes something or shows money; other reads a viewer may. */
const leastRoles: Readonly<Record<string, SellerRole>> = {
  listCharges: 'owner',
  sumCharges: 'owner',
  listAccountPeriods: 'owner',
  forecastAccountMonth: 'owner',
  priceAccountReceipt: 'owner',
  listActs: 'owner',
  getAct: 'owner',
  getActFile: 'owner',
  exportAccountActCharges: 'owner',
  exportAccountCharges: 'owner',
  exportAccountActs: 'owner',
  exportAccountPeriods: 'owner',
  exportAccountUsers: 'owner',
  exportAccountInvitations: 'owner',
  exportAccountKeyRequests: 'owner',
  createReceipt: 'receipts',
  importAccountReceipt: 'receipts',
  changeAccountReceipt: 'receipts',
  withdrawAccountReceipt: 'receipts',
  createWebhook: 'owner',
  deleteWebhook: 'owner',
  pingWebhook: 'owner',
  resendDelivery: 'owner',
  resendMissedEvents: 'owner',
  resetSandbox: 'owner',
  playSandboxTrigger: 'owner',
  advanceSandbox: 'owner',
  createSandboxReceiver: 'owner',
  listAccountUsers: 'owner',
  listAccountInvitations: 'owner',
  createAccountInvitation: 'owner',
  revokeAccountInvitation: 'owner',
  changeAccountUser: 'owner',
  removeAccountUser: 'owner',
  makeAccountPasswordLink: 'owner',
  revokeAccountKey: 'owner',
  listAccountKeyRequests: 'owner',
  askForAccountKey: 'owner',
  withdrawAccountKeyRequest: 'owner',
  revealAccountKey: 'owner',
  readAccountNotices: 'viewer',
  setAccountNoticeSettings: 'viewer',
  setAccountNoticeEmail: 'viewer',
  confirmAccountNoticeEmail: 'viewer',
  dropAccountNoticeEmail: 'viewer',
  linkAccountTelegram: 'viewer',
  dropAccountTelegram: 'viewer',
  switchAccountClient: 'viewer',
  endAccountSession: 'viewer',
  endAccountSessions: 'viewer',
  changeAccountName: 'viewer',
  changeAccountPassword: 'viewer',
  offerOneTimeCodes: 'viewer',
  confirmOneTimeCodes: 'viewer',
  dropOneTimeCodes: 'viewer',
}

interface Route {
  readonly method?: string | string[] | undefined
  readonly schema?: { readonly operationId?: string } | undefined
}

export function leastRoleOf({ schema }: Route): SellerRole {
  const id = schema?.operationId ?? ''
  return Object.hasOwn(leastRoles, id) ? (leastRoles[id] ?? 'owner') : 'viewer'
}

/** Stops the start where a route that changes something or shows money has no least role. */
export function demandLeastRoles(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, schema, config }) => {
    const reads = [method].flat().every((each) => each === 'GET' || each === 'HEAD')
    const id = schema?.operationId ?? ''
    const isFree = reads && !schema?.tags?.includes('Деньги')
    if (isFree || config?.open || Object.hasOwn(leastRoles, id)) return
    throw new Error(`the operation ${id} of the account has no least role`)
  })
}
