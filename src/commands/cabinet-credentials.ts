import { text } from 'node:stream/consumers'
import { Check } from 'typebox/value'
import {
  type Credentials,
  type CredentialsCheck,
  CredentialsDraft,
  credentialsOf,
} from '../clients/credentials.ts'
import type { Marketplace } from '../clients/marketplace.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connection.ts'
import { makeSecretBox, type SecretBox } from '../kernel/secret-box.ts'
import { StartError } from '../kernel/start-error.ts'
import { makeCredentialsCheck } from '../marketplaces/check-credentials.ts'
import { isNothingSealed, loadSecrets } from '../secrets.ts'

export interface GivenCredentials {
  readonly draft: CredentialsDraft
  readonly credentials: Credentials
  readonly check: CredentialsCheck
  readonly box: SecretBox
}

/** Reads credentials from standard input, where no list of processes shows them, and checks them. */
export async function readCabinetCredentials(
  db: Database,
  config: Config,
  marketplace: Marketplace,
): Promise<GivenCredentials> {
  const draft = parsed(await text(process.stdin))
  const credentials = credentialsOf(marketplace, draft)
  const check = await makeCredentialsCheck({ db, ...config.marketplaces })(credentials)
  const { cabinetKeys } = await loadSecrets(config, () => isNothingSealed(db))
  const box = makeSecretBox(cabinetKeys)
  return { draft, credentials, check, box }
}

/** Never quotes the input: it holds secrets. */
function parsed(input: string): CredentialsDraft {
  const wanted = '--credentials -: standard input must be {"token"} or {"client_id","api_key"}'
  let value: unknown
  try {
    value = JSON.parse(input)
  } catch {
    throw new StartError(wanted)
  }
  if (!Check(CredentialsDraft, value)) throw new StartError(wanted)
  return value
}
