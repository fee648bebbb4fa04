import { after } from 'node:test'
import { type FakeOzon, startFakeOzon } from './ozon.ts'
import { type FakeWildberries, startFakeWildberries } from './wildberries.ts'

export interface Fakes {
  readonly wb: FakeWildberries
  readonly ozon: FakeOzon
  /** Of a service that calls them, and syncs by itself only once. */
  readonly settings: Readonly<Record<'WB_BASE_URL' | 'OZON_BASE_URL' | 'SYNC_INTERVAL', string>>
}

/** Both marketplaces, until the tests of the file end. */
export async function startFakes(): Promise<Fakes> {
  const [wb, ozon] = await Promise.all([startFakeWildberries(), startFakeOzon()])
  after(() => Promise.all([wb.close(), ozon.close()]))
  const settings = { WB_BASE_URL: wb.baseUrl, OZON_BASE_URL: ozon.baseUrl, SYNC_INTERVAL: '1h' }
  return { wb, ozon, settings }
}
