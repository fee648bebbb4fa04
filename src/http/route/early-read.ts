import type { FastifyRequest } from 'fastify'
import type { Admission, Admit } from '../../identity/keys/admission.ts'
import { clientOfKeyHash } from '../../identity/keys/api-keys.ts'
import type { Database } from '../../platform/db/connection.ts'
import type { Tag } from '../../platform/db/statements/tag.ts'
import { ServiceError } from '../../platform/kernel/errors.ts'
import type { ClientId } from '../../warehouse/clients/list-conditions.ts'

/**
 * A read of one statement that travels with the admission of its call, in one message to the database. It names its
 * client by the key, because nobody knows the client yet.
 *
 * - Nothing of it is shown before the call has passed the gate; what was read for a refused call is thrown away.
 * - It sees the database after admission. Where it could not travel, or fails, the route reads as without it.
 */

declare module 'fastify' {
  interface FastifyContextConfig {
    early?: EarlyRead<unknown>
  }
  interface FastifyRequest {
    /** What was read with admission. */
    early: Promise<unknown> | undefined
  }
}

/** Gets the hash of the key while nobody knows who calls: later the caller is on the request. */
type Read<T> = (db: Tag, client: ClientId, request: FastifyRequest, keyHash?: Buffer) => Promise<T>

export interface EarlyRead<T> {
  readonly read: Read<T>
  /** What the read finds for a call that has passed the gate, of its client. */
  resultFor(request: FastifyRequest, clientId: string): Promise<T>
}

/** Put it into the `config` of the route whose handler asks for the result. */
export function earlyRead<T>(db: Database, read: Read<T>): EarlyRead<T> {
  return {
    read,
    async resultFor(request, clientId) {
      try {
        if (request.early !== undefined) return (await request.early) as T
      } catch (error) {
        if (error instanceof ServiceError) throw error
      }
      return read(db, clientId, request)
    },
  }
}

/** Admits a call together with the read of its route. */
export function admitReading(
  admit: Admit,
  keyHash: Buffer,
  request: FastifyRequest,
): Promise<Admission> {
  const { early } = request.routeOptions.config
  if (early === undefined) return admit(keyHash)
  return admit(keyHash, (tag) => {
    request.early = early.read(tag, clientOfKeyHash(tag, keyHash), request, keyHash)
    return request.early
  })
}
