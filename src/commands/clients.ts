import { Option } from 'commander'
import { findCabinet } from '../clients/cabinets.ts'
import { findClient, listClients } from '../clients/directory.ts'
import { findApiKey, issueApiKey, listApiKeys, ownerOfKey, revokeApiKey } from '../clients/keys.ts'
import { type Marketplace, marketplaces } from '../clients/marketplace.ts'
import { addCabinet, createClient } from '../clients/verbs.ts'
import { addWarehouse, findWarehouse } from '../clients/warehouses.ts'
import { allOf, change, idOf, type Shell, text, withStore } from './command.ts'

/** Warehouses, clients, cabinets and keys. */
export function addClientCommands(shell: Shell): void {
  addWarehouseCommand(shell)
  addClientCommand(shell)
  addCabinetCommand(shell)
  addKeyCommands(shell)
}

function addWarehouseCommand(shell: Shell): void {
  shell.sklad
    .command('warehouse')
    .description('warehouses')
    .command('add')
    .requiredOption('--code <code>', 'short code, such as MSK1')
    .requiredOption('--name <name>', 'name')
    .action((asked: { code: string; name: string }) =>
      change(shell, 'warehouse add', async (work) => {
        const warehouse = { code: text('code', asked.code), name: text('name', asked.name) }
        await addWarehouse(work, warehouse)
        const after = await findWarehouse(work.tx, warehouse.code)
        return { printed: warehouse, objectId: warehouse.code, after }
      }),
    )
}

function addClientCommand(shell: Shell): void {
  const client = shell.sklad.command('client').description('legal entities')
  client
    .command('list')
    .description('live clients, the newest first')
    .action(() =>
      withStore(shell, async (db) => ({
        clients: await allOf((page) => listClients(db, undefined, page)),
      })),
    )
  client
    .command('create')
    .requiredOption('--name <name>', 'name')
    .option('--inn <inn>', 'tax number')
    .option('--warehouse <code>', 'warehouse; the oldest unless told')
    .action((asked: { name: string; inn?: string; warehouse?: string }) =>
      change(shell, 'client create', async (work) => {
        const { inn, warehouse } = asked
        const name = text('name', asked.name)
        const id = await createClient(work, { mode: 'live', name, inn, warehouse })
        const after = await findClient(work.tx, id)
        return { printed: { id, name }, clientId: id, objectId: id, after }
      }),
    )
}

function addCabinetCommand(shell: Shell): void {
  shell.sklad
    .command('cabinet')
    .description('marketplace cabinets')
    .command('add')
    .requiredOption('--client <id>', 'client')
    .addOption(
      new Option('--marketplace <marketplace>', 'marketplace')
        .choices(marketplaces)
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'name')
    .action((asked: { client: string; marketplace: Marketplace; name: string }) =>
      change(shell, 'cabinet add', async (work) => {
        const { marketplace } = asked
        const clientId = idOf('client', asked.client)
        const name = text('name', asked.name)
        const id = await addCabinet(work, clientId, { marketplace, name })
        const after = await findCabinet(work.tx, clientId, id)
        return { printed: { id, marketplace, name }, clientId, objectId: id, after }
      }),
    )
}

function addKeyCommands(shell: Shell): void {
  const key = shell.sklad.command('key').description('API keys')
  key
    .command('list')
    .description('the keys of a client, by the preview that a seller can name')
    .requiredOption('--client <id>', 'client')
    .action((asked: { client: string }) =>
      withStore(shell, async (db) => {
        const clientId = idOf('client', asked.client)
        return { keys: await allOf((page) => listApiKeys(db, clientId, page)) }
      }),
    )
  key
    .command('issue')
    .description('issue a key; its value is shown this once')
    .requiredOption('--client <id>', 'client')
    .requiredOption('--name <name>', 'name that tells integrations apart')
    .option('--receipts', 'allow POST /v1/receipts')
    .action((asked: { client: string; name: string; receipts?: boolean }) =>
      change(shell, 'key issue', async (work) => {
        const clientId = idOf('client', asked.client)
        const draft = {
          name: text('name', asked.name),
          receiptsEnabled: asked.receipts ?? false,
        }
        const issued = await issueApiKey(work, clientId, draft)
        const after = await findApiKey(work.tx, clientId, issued.id)
        return { printed: { ...issued }, clientId, objectId: issued.id, after }
      }),
    )
  key
    .command('revoke')
    .description('revoke a key; it is refused from the next request on')
    .argument('<id>', 'id of the key')
    .action((asked: string) =>
      change(shell, 'key revoke', async (work) => {
        const id = idOf('id', asked)
        const clientId = await ownerOfKey(work.tx, id)
        const before = await findApiKey(work.tx, clientId, id)
        const changed = await revokeApiKey(work, clientId, id)
        const after = await findApiKey(work.tx, clientId, id)
        return { printed: { id, revoked: true }, clientId, objectId: id, before, after, changed }
      }),
    )
}
