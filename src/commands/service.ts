import { Argument } from 'commander'
import { audit } from '../audit/audit.ts'
import { resealCredentials } from '../clients/credentials.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connection.ts'
import { makeSecretBox } from '../kernel/secret-box.ts'
import { loadSecrets } from '../secrets.ts'
import { resealSecrets } from '../webhooks/reseal.ts'
import { switchWebhooks } from '../webhooks/switch.ts'
import { change, type Printed, type Shell, withStore } from './command.ts'

/** What an operator does to the service as a whole. */
export function addServiceCommands(shell: Shell): void {
  const { sklad } = shell
  sklad
    .command('migrate')
    .description('bring the database up to date')
    .action(() => withStore(shell, async () => ({ migrated: true })))
  sklad
    .command('webhooks')
    .description('hold all webhooks, or let them go on; held events wait and none is lost')
    .addArgument(new Argument('<state>', 'whether they are sent').choices(['on', 'off']))
    .action((state: 'on' | 'off') =>
      change(shell, 'webhooks', async (work) => {
        const changed = await switchWebhooks(work.tx, state === 'on')
        const after = { enabled: state === 'on' }
        return { printed: { webhooks: state }, objectId: 'webhooks-service', after, changed }
      }),
    )
  sklad
    .command('secrets')
    .description('what is sealed with SECRET_KEY')
    .command('reseal')
    .description('seal it all with the first key of SECRET_KEY; 1 where something is unreadable')
    .action(() => withStore(shell, reseal))
  sklad
    .command('audit')
    .description(
      'work out every sum again from first facts; what differs is listed, and the exit code is 1',
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
  if (report.findings.length > 0) process.exitCode = 1
  return { ...report }
}
