import { Argument } from 'commander'
import { audit } from '../audit/audit.ts'
import { resealCredentials } from '../clients/credentials.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connection.ts'
import { makeSecretBox } from '../kernel/secret-box.ts'
import { loadSecrets } from '../secrets.ts'
import { resealSecrets } from '../webhooks/reseal.ts'
import { switchWebhooks } from '../webhooks/switch.ts'
import { type Printed, runChange, type Shell, withStore } from './command.ts'

/** Commands for the service as a whole. */
export function addServiceCommands(shell: Shell): void {
  const { sklad } = shell
  sklad
    .command('migrate')
    .description('migrate the database to this version')
    .action(() => withStore(shell, async () => ({ migrated: true })))
  sklad
    .command('webhooks')
    .description('stop or resume sending webhooks; events wait while they are off')
    .addArgument(new Argument('<state>', 'send webhooks or not').choices(['on', 'off']))
    .action((state: 'on' | 'off') =>
      runChange(shell, 'webhooks', async (work) => {
        const changed = await switchWebhooks(work.tx, state === 'on')
        const after = { enabled: state === 'on' }
        return { printed: { webhooks: state }, objectId: 'webhooks-service', after, changed }
      }),
    )
  sklad
    .command('secrets')
    .description('secrets that SECRET_KEY encrypts')
    .command('reseal')
    .description(
      'encrypt all secrets with the first key of SECRET_KEY; exit code 1 if one is unreadable',
    )
    .action(() => withStore(shell, reseal))
  sklad
    .command('audit')
    .description(
      'compute every sum again from its rows and list differences; exit code 1 if there are any',
    )
    .action(() => withStore(shell, runAudit))
}

async function reseal(db: Database, config: Config): Promise<Printed> {
  const { webhookKeys, cabinetKeys } = await loadSecrets(config)
  const webhooks = await resealSecrets(db, makeSecretBox(webhookKeys))
  const cabinets = await resealCredentials(db, makeSecretBox(cabinetKeys))
  const unreadable = [...webhooks.unreadable, ...cabinets.unreadable]
  if (unreadable.length > 0) process.exitCode = 1
  return {
    resealed: webhooks.resealed + cabinets.resealed,
    current: webhooks.current + cabinets.current,
    unreadable,
  }
}

async function runAudit(db: Database): Promise<Printed> {
  const report = await audit(db)
  const count = report.findings.length + report.omitted
  if (count > 0) process.exitCode = 1
  const found = count === 0 ? 'no differences' : `${count} difference${count === 1 ? '' : 's'}`
  return { result: found, ...report }
}
