import type { FastifyInstance } from 'fastify'
import { sellersBody } from '../../public/request-body.ts'
import { addNoticeRoutes } from '../../route/notices.ts'
import { changeInAccount, markInAccount } from '../change.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { userOn, visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** What the user was notified of the client that is shown, and the user's settings. */
export function addAccountNotices(app: FastifyInstance, dependencies: AccountDependencies): void {
  addNoticeRoutes({
    app,
    db: dependencies.db,
    ways: dependencies.noticeWays,
    suffix: 'Account',
    operation: (op) => accountOperation({ ...op, tag: 'Уведомления' }),
    config: {},
    user: (request) => ({ side: 'seller', userId: userOn(request).id }),
    bell: (request) => visitorOn(request).user?.id ?? visitorOn(request).clientId,
    clientId: (request) => visitorOn(request).clientId,
    body: sellersBody,
    change: (request, verbs) =>
      changeInAccount(dependencies, request, async (work) => ({
        objectId: userOn(request).id,
        ...(await verbs(work)),
      })),
    mark: (request, verbs) => markInAccount(dependencies, request, verbs),
  })
}
