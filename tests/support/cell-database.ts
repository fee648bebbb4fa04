import { randomBytes } from 'node:crypto'
import { loadSecrets, recordFingerprints } from '../../src/platform/process/secrets.ts'
import { addressOf, testDatabase } from './database.ts'

const secret = randomBytes(32)

/** The key of all cells of a test. */
export const cellSecretKey = secret.toString('base64')

/** The database of a cell whose service has started once. */
export async function makeCellDatabase() {
  const made = await testDatabase()
  await recordFingerprints(made.db, await loadSecrets({ secretKeys: [secret], dataDir: '' }))
  return { ...made, url: addressOf(made.target) }
}
