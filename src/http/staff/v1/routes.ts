import type { FastifyInstance, FastifyRequest } from 'fastify'
import { missingRoute } from '../../server.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { addStaffGate } from '../gate.ts'
import { addSession } from './session.ts'
import { addUsers } from './users.ts'

/** Everything below /staff/v1, behind the gate; unknown paths and methods too. */
export async function addStaffApi(
  app: FastifyInstance,
  dependencies: StaffDependencies,
): Promise<void> {
  await app.register(
    async (v1) => {
      addStaffGate(v1, dependencies)
      v1.addHook('onRequest', refuseUnknownRoutes)
      addSession(v1, dependencies)
      addUsers(v1, dependencies)
      v1.setNotFoundHandler(refuseUnknownRoutes)
    },
    { prefix: '/staff/v1' },
  )
}

/** Before a byte of the body is read: nobody waits for it. */
async function refuseUnknownRoutes(request: FastifyRequest): Promise<void> {
  if (request.is404) throw missingRoute(request.originalUrl)
}
