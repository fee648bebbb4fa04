import { Argument } from 'commander'
import { runClientCommand } from '../../../sdk/typescript/src/command-line.ts'
import type { Config } from '../../config.ts'
import { resealSecrets } from '../../exchange/webhooks/subscriptions.ts'
import { resealKeys } from '../../identity/keys/key-requests.ts'
import { resealCodes } from '../../identity/sellers/one-time-codes.ts'
import type { Database } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { makeSecretBox } from '../../platform/kernel/secret-box.ts'
import { isNothingSealed, loadSecrets, recordFingerprints } from '../../platform/process/secrets.ts'
import { type SwitchName, setSwitch } from '../../platform/process/switches.ts'
import { resealCredentials } from '../../warehouse/clients/credentials.ts'
import { traceRequest } from '../../warehouse/journal/request-trace.ts'
import { audit } from '../audit/audit.ts'
import {
  type Changed,
  idOf,
  onReports,
  type Printed,
  runChange,
  type Shell,
  withStore,
} from './command.ts'

/** Commands for the service as a whole. */
export function addServiceCommands(shell: Shell): void {
  const { sklad } = shell
  sklad
    .command('migrate')
    .description('migrate the database to this version')
    .action(() => withStore(shell, async () => ({ migrated: true }), { creates: true }))
  for (const [name, what] of Object.entries(switches)) {
    sklad
      .command(name)
      .description(what)
      .addArgument(new Argument('<state>').choices(['on', 'off']))
      .action((state: 'on' | 'off') => runChange(shell, name, setTo(name as SwitchName, state)))
  }
  sklad
    .command('secrets')
    .description('secrets that SECRET_KEY encrypts')
    .command('reseal')
    .description(
      'encrypt all secrets with the first key of SECRET_KEY; exit code 1 if one is unreadable',
    )
    .option(
      '--former-key-lost',
      'let the service start without a former key, though what it sealed stays unreadable',
    )
    .action((given: ResealOptions) => withStore(shell, (db, config) => reseal(db, config, given)))
  sklad
    .command('audit')
    .description(
      'compute every sum again from its rows and list differences; exit code 1 if there are any',
    )
    .action(() => withStore(shell, runAudit))
  sklad
    .command('request')
    .description('show what the journals know of a request; exit code 1 if they do not know it')
    .argument('<id>', 'request_id of an answer (X-Request-Id)')
    .action((id: string) => withStore(shell, (db) => showRequest(db, requestIdOf(id))))
}

const switches: Readonly<Record<SwitchName, string>> = {
  webhooks: 'stop or resume sending webhooks; events wait while they are off',
  marketplaces:
    'stop or resume all calls to marketplaces; cabinets are not synced while they are off',
  notices: 'stop or resume letters and messages to people; they wait while it is off',
}

function setTo(name: SwitchName, state: 'on' | 'off') {
  const enabled = state === 'on'
  return async ({ tx }: Work): Promise<Changed> => {
    const changed = await setSwitch(tx, name, enabled)
    return { printed: { [name]: state }, objectId: `${name}-service`, after: { enabled }, changed }
  }
}

interface ResealOptions {
  readonly formerKeyLost?: boolean
}

async function reseal(
  db: Database,
  config: Config,
  { formerKeyLost = false }: ResealOptions,
): Promise<Printed> {
  const secrets = await loadSecrets(config, () => isNothingSealed(db))
  const { webhookKeys, cabinetKeys, accountKeys } = secrets
  const webhooks = await resealSecrets(db, makeSecretBox(webhookKeys))
  const cabinets = await resealCredentials(db, makeSecretBox(cabinetKeys))
  const codes = await resealCodes(db, makeSecretBox(accountKeys))
  const keys = await resealKeys(db, makeSecretBox(accountKeys))
  const parts = [webhooks, cabinets, codes, keys]
  const unreadable = parts.flatMap((part): readonly unknown[] => part.unreadable)
  if (unreadable.length > 0) process.exitCode = 1
  if (formerKeyLost) await recordFingerprints(db, secrets)
  return {
    resealed: parts.reduce((sum, { resealed }) => sum + resealed, 0),
    current: parts.reduce((sum, { current }) => sum + current, 0),
    unreadable,
  }
}

async function runAudit(db: Database, config: Config): Promise<Printed> {
  const report = await onReports(db, config, (source) => audit(source))
  const count = report.findings.length + report.omitted
  if (count > 0) process.exitCode = 1
  const found = count === 0 ? 'no differences' : `${count} difference${count === 1 ? '' : 's'}`
  return { result: found, ...report }
}

/** As people copy it out of mail and tickets. */
const requestIdOf = (given: string) => idOf('request id', given.trim().toLowerCase())

async function showRequest(db: Database, id: string): Promise<Printed> {
  const { call, receipts, refused, changes } = await traceRequest(db, id)
  const known = [...(call ? [call] : []), ...receipts, ...refused, ...changes]
  if (known.length === 0) {
    process.exitCode = 1
    return { request: id, found: 'nothing in the journals: look for the id in the log' }
  }
  const { request_id: _, id: __, ...shown } = { ...call }
  return {
    request: id,
    ...shown,
    receipts: receipts.map(({ receipt_id, outcome }) => ({ receipt: receipt_id, outcome })),
    refused: refused.map(({ code, body_start }) => ({ refused: code, body: body_start })),
    changes: changes.map(({ action, actor, login, object_id, before, after }) => ({
      changed: action,
      by: login ?? actor,
      object: object_id,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
    })),
  }
}

/** Commands of the integrators' package, for those who have a checkout. They talk to a service over HTTP. */
export function addIntegratorCommands({ sklad }: Shell): void {
  for (const [name, description] of [
    ['listen', 'send the events of the feed to a receiver on this machine; Ctrl-C ends'],
    ['trigger', 'bring about a situation in a sandbox'],
  ] as const) {
    sklad
      .command(name)
      .description(description)
      .argument('[arguments...]')
      // The package reads its own options, so that they are the same in both places.
      .allowUnknownOption()
      .helpOption(false)
      .action((args: string[]) => runInteractively([name, ...args]))
  }
}

async function runInteractively(args: readonly string[]): Promise<void> {
  const controller = new AbortController()
  const end = () => controller.abort()
  process.once('SIGINT', end).once('SIGTERM', end)
  process.exitCode = await runClientCommand(args, {
    print: console.log,
    printError: console.error,
    signal: controller.signal,
  })
}
