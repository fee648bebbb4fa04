import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { addAccountReference } from '../src/http/account/reference.ts'
import { addAccountApi } from '../src/http/account/v1/routes.ts'
import type { Addresses } from '../src/http/openapi/reference.ts'
import { addPublicReference } from '../src/http/public/reference.ts'
import { addPublicApi } from '../src/http/public/v1/routes.ts'
import { buildServer } from '../src/http/server/server.ts'
import { addStaffReference } from '../src/http/staff/reference.ts'
import { addStaffApi } from '../src/http/staff/v1/routes.ts'

/** The OpenAPI documents in `openapi/`. */
export interface Kept {
  /** Where the document is kept. */
  readonly path: string
  /** Where a service has it, and beside it the page. */
  readonly prefix: '' | '/account' | '/staff'
  readonly add: (server: FastifyInstance, addresses: Addresses) => Promise<void>
}

/** Stand-ins for the dependencies: the routes are only described here and never called. */
const nothing = {}

export const publicApi: Kept = {
  path: 'openapi/public.json',
  prefix: '',
  async add(server, addresses) {
    await addPublicReference(server, addresses)
    await addPublicApi(server, nothing as Parameters<typeof addPublicApi>[1])
  },
}

export const accountApi: Kept = {
  path: 'openapi/account.json',
  prefix: '/account',
  async add(server, addresses) {
    await addAccountReference(server, addresses)
    await addAccountApi(server, nothing as Parameters<typeof addAccountApi>[1])
  },
}

export const staffApi: Kept = {
  path: 'openapi/staff.json',
  prefix: '/staff',
  async add(server, addresses) {
    await addStaffReference(server, addresses)
    await addStaffApi(server, nothing as Parameters<typeof addStaffApi>[1])
  },
}

/** The documents in `openapi/` name the address of `npm start`. A running service names its own. */
const documentUrl = 'http://localhost:8080'

/** A document as text. */
export async function documentOf(api: Kept, supportContact?: string): Promise<string> {
  const server = await describedServer(api, documentUrl, supportContact)
  const document = (await server.inject(`${api.prefix}/openapi.json`)).json()
  await server.close()
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The page that shows it, or a file beside the page, at a service with that address. */
export async function referencePage(api: Kept, baseUrl: string, path = '', encoding = '') {
  const server = await describedServer(api, baseUrl)
  const page = await server.inject({
    url: `${api.prefix}/docs/${path}`,
    headers: { 'accept-encoding': encoding },
  })
  await server.close()
  return page
}

async function describedServer(api: Kept, baseUrl: string, supportContact?: string) {
  const server = buildServer({ log: pino({ level: 'silent' }), trustProxy: false })
  await server.register((side) =>
    api.add(side, { baseUrl, docsUrl: `${baseUrl}/docs`, supportContact }),
  )
  await server.ready()
  return server
}
