import pino from 'pino'
import { addReference } from '../src/http/public/reference.ts'
import { addPublicApi } from '../src/http/public/v1/routes.ts'
import { buildServer } from '../src/http/server.ts'

/** Where the document of the public API is kept. */
export const documentPath = 'openapi/public.json'

/** The address that the kept document names: that of `npm start`. A running service names its own. */
const baseUrl = 'http://localhost:8080'

/** The document as text. The routes are described and never called, so nothing stands behind them. */
export async function publicDocument(): Promise<string> {
  const server = buildServer({ log: pino({ level: 'silent' }), trustProxy: false })
  await addReference(server, baseUrl)
  await addPublicApi(server, {} as Parameters<typeof addPublicApi>[1])
  await server.ready()
  const document = server.swagger()
  await server.close()
  return `${JSON.stringify(document, null, 2)}\n`
}
