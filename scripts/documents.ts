import pino from 'pino'
import { addPublicReference } from '../src/http/public/reference.ts'
import { addPublicApi } from '../src/http/public/v1/routes.ts'
import { buildServer } from '../src/http/server.ts'

/** Where the document of the public API is kept. */
export const documentPath = 'openapi/public.json'

/** The address that the kept document names: that of `npm start`. A running service names its own. */
const documentUrl = 'http://localhost:8080'

/** The document as text. */
export async function publicDocument(): Promise<string> {
  const server = await describedServer(documentUrl)
  const document = (await server.inject('/openapi.json')).json()
  await server.close()
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The page at /docs of a service at that address. */
export async function referencePage(baseUrl: string) {
  const server = await describedServer(baseUrl)
  const page = await server.inject('/docs/')
  await server.close()
  return page
}

/** The routes are described here and never called, so nothing stands behind them. */
async function describedServer(baseUrl: string) {
  const server = buildServer({ log: pino({ level: 'silent' }), trustProxy: false })
  await addPublicReference(server, baseUrl)
  await addPublicApi(server, {} as Parameters<typeof addPublicApi>[1])
  await server.ready()
  return server
}
