import { text } from 'node:stream/consumers'
import { Check } from 'typebox/value'
import type { Config } from '../../config.ts'
import { makeCredentialsCheck } from '../../exchange/marketplaces/connecting/check-credentials.ts'
import type { Database } from '../../platform/db/connection.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { makeSecretBox, type SecretBox } from '../../platform/kernel/secret-box.ts'
import { isNothingSealed, loadSecrets } from '../../platform/process/secrets.ts'
import {
  type Credentials,
  type CredentialsCheck,
  CredentialsDraft,
  credentialsOf,
} from '../../warehouse/clients/credentials.ts'
import type { Marketplace } from '../../warehouse/clients/marketplace.ts'

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
