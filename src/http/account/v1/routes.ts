import type { FastifyInstance } from 'fastify'
import { addOwnSandbox, addSellerRoutes } from '../../public/v1/routes.ts'
import { sayWhenToRepeat } from '../../route/unavailable.ts'
import { reportUnknownParameters } from '../../route/unknown-parameters.ts'
import { compressAnswers } from '../../server/compression.ts'
import { unknownRoutesRefusal } from '../../server/known-methods.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { addAccountGate } from '../gate.ts'
import { demandLeastRoles } from '../least-roles.ts'
import { addAccountAnnouncements } from './announcements.ts'
import { addAccountAttention } from './attention.ts'
import { addAccountBoxLabels } from './box-labels.ts'
import { addAccountCover } from './cover.ts'
import { addAccountFiles } from './files.ts'
import { addAccountFlow } from './flow.ts'
import { addAccountGoods } from './goods.ts'
import { addAccountInvitations } from './invitations.ts'
import { addAccountKeyRequests } from './key-requests.ts'
import { addAccountCalls, addAccountKeys } from './keys.ts'
import { addAccountListFiles } from './list-files.ts'
import { addAccountMoney } from './money.ts'
import { addAccountMovements } from './movements.ts'
import { addAccountNames } from './names.ts'
import { addAccountNotices } from './notices.ts'
import { addAccountPasswordLinks } from './password-links.ts'
import { addAccountPhotos } from './photos.ts'
import { addAccountPictures } from './pictures.ts'
import { addAccountProduct } from './product.ts'
import { addAccountGoodsTemplate, addAccountReceiptImport } from './receipt-import.ts'
import { addAccountSales } from './sales.ts'
import { addAccountSecurity } from './security.ts'
import { addAccountServiceFiles } from './service-files.ts'
import { addAccountSession } from './session.ts'
import { addAccountUsers } from './users.ts'

/** Adds all paths below /account/v1: the sellers' routes of the public API behind another gate, and the account's own. */
export async function addAccountApi(
  app: FastifyInstance,
  dependencies: AccountDependencies,
): Promise<void> {
  await app.register(
    async (v1) => {
      v1.setErrorHandler(sayWhenToRepeat)
      await addAccountGate(v1, dependencies)
      demandLeastRoles(v1)
      compressAnswers(v1)
      const refuseUnknownRoutes = unknownRoutesRefusal(v1)
      v1.addHook('onRequest', refuseUnknownRoutes)
      v1.addHook('onRequest', reportUnknownParameters)
      addAccountSession(v1, dependencies)
      addAccountSecurity(v1, dependencies)
      addAccountInvitations(v1, dependencies)
      addAccountUsers(v1, dependencies)
      addAccountPasswordLinks(v1, dependencies)
      addAccountAttention(v1, dependencies)
      addAccountNotices(v1, dependencies)
      addAccountKeys(v1, dependencies)
      addAccountKeyRequests(v1, dependencies)
      addAccountCalls(v1, dependencies)
      addAccountReceiptImport(v1, dependencies)
      addAccountGoodsTemplate(v1, dependencies)
      addAccountAnnouncements(v1, dependencies)
      addAccountBoxLabels(v1, dependencies)
      addAccountGoods(v1, dependencies)
      addAccountFiles(v1, dependencies)
      addAccountListFiles(v1, dependencies)
      addAccountServiceFiles(v1, dependencies)
      addAccountPictures(v1, dependencies)
      addAccountPhotos(v1, dependencies)
      addAccountNames(v1, dependencies)
      addAccountSales(v1, dependencies)
      addAccountCover(v1, dependencies)
      addAccountFlow(v1, dependencies)
      addAccountProduct(v1, dependencies)
      addAccountMovements(v1, dependencies)
      addAccountMoney(v1, dependencies)
      addSellerRoutes(v1, dependencies)
      addOwnSandbox(v1, dependencies)
      v1.setNotFoundHandler(refuseUnknownRoutes)
    },
    { prefix: '/account/v1' },
  )
}
