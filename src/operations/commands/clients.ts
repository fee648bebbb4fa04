import { Option } from 'commander'
import { refuseKnownAccount } from '../../exchange/marketplaces/connecting/known-accounts.ts'
import {
  findApiKey,
  issueApiKey,
  listApiKeys,
  ownerOfKey,
  revokeApiKey,
} from '../../identity/keys/api-keys.ts'
import type { Work } from '../../platform/db/work.ts'
import { findCabinet } from '../../warehouse/clients/cabinet-queries.ts'
import { addCabinet, connectCabinet } from '../../warehouse/clients/cabinets.ts'
import { createClient, findClient, listClients } from '../../warehouse/clients/clients.ts'
import {
  type Marketplace,
  marketplaces,
  type ShipmentsPlace,
  shipmentsPlaces,
} from '../../warehouse/clients/marketplace.ts'
import { addWarehouse, findWarehouse } from '../../warehouse/clients/warehouses.ts'
import { type GivenCredentials, readCabinetCredentials } from './cabinet-credentials.ts'
import {
  allOf,
  type Changed,
  idOf,
  requiredText,
  runChange,
  runPreparedChange,
  type Shell,
  withStore,
} from './command.ts'
import { addKeyMap } from './key-map.ts'
import { addMoveCommand } from './move.ts'

/** Warehouses, clients, cabinets and keys. */
export function addClientCommands(shell: Shell): void {
  addWarehouseCommand(shell)
  addClientCommand(shell)
  addCabinetCommand(shell)
  addKeyCommands(shell)
}

function addWarehouseCommand(shell: Shell): void {
  const warehouse = shell.sklad.command('warehouse').description('warehouses')
  addMoveCommand(shell, warehouse)
  warehouse
    .command('add')
    .description('add a warehouse')
    .requiredOption('--code <code>', 'short code, such as MSK1')
    .requiredOption('--name <name>', 'name')
    .action((options: { code: string; name: string }) =>
      runChange(shell, 'warehouse add', async (work) => {
        const warehouse = {
          code: requiredText('code', options.code),
          name: requiredText('name', options.name),
        }
        await addWarehouse(work, warehouse)
        const after = await findWarehouse(work.tx, warehouse.code)
        return { printed: warehouse, objectId: warehouse.code, after }
      }),
    )
}

interface NewClientOptions {
  readonly name: string
  readonly inn?: string
  readonly warehouse?: string
  readonly allowDuplicateInn?: boolean
}

function addClientCommand(shell: Shell): void {
  const client = shell.sklad.command('client').description('legal entities')
  client
    .command('list')
    .description('list live clients, newest first')
    .action(() =>
      withStore(shell, async (db) => ({
        clients: await allOf((page) => listClients(db, undefined, page)),
      })),
    )
  client
    .command('create')
    .description('create a live client')
    .requiredOption('--name <name>', 'name')
    .option('--inn <inn>', 'tax number, with right check digits')
    .option('--warehouse <code>', 'warehouse; the oldest by default')
    .option('--allow-duplicate-inn', 'although the warehouse has a client with this tax number')
    .action((options: NewClientOptions) =>
      runChange(shell, 'client create', async (work) => {
        const name = requiredText('name', options.name)
        const id = await createClient(work, { mode: 'live', ...options, name })
        const after = await findClient(work.tx, id)
        return { printed: { id, name }, clientId: id, objectId: id, after }
      }),
    )
}

interface CabinetOptions {
  readonly client: string
  readonly marketplace: Marketplace
  readonly name: string
  readonly credentials?: '-'
  readonly shipments?: ShipmentsPlace
}

function addCabinetCommand(shell: Shell): void {
  shell.sklad
    .command('cabinet')
    .description('marketplace cabinets')
    .command('add')
    .description('add a cabinet to a client')
    .requiredOption('--client <id>', 'client')
    .addOption(
      new Option('--marketplace <marketplace>', 'marketplace')
        .choices(marketplaces)
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'name')
    .addOption(
      new Option(
        '--credentials <file>',
        'read {"token"} or {"client_id","api_key"} from standard input, and check them',
      ).choices(['-']),
    )
    .addOption(
      new Option('--shipments <place>', 'where shipments are made').choices(shipmentsPlaces),
    )
    .action((options: CabinetOptions) =>
      runPreparedChange(
        shell,
        'cabinet add',
        async (db, config) =>
          options.credentials === undefined
            ? undefined
            : readCabinetCredentials(db, config, options.marketplace),
        (work, given) => addCabinetWith(work, options, given),
      ),
    )
}

async function addCabinetWith(
  work: Work,
  options: CabinetOptions,
  given: GivenCredentials | undefined,
): Promise<Changed> {
  const { marketplace, shipments } = options
  const clientId = idOf('client', options.client)
  const name = requiredText('name', options.name)
  if (given?.check.rights) {
    await refuseKnownAccount(work, given.box, { clientId, credentials: given.credentials })
  }
  const draft = { marketplace, name, shipments, credentials: given?.draft, check: given?.check }
  const id =
    given === undefined
      ? await addCabinet(work, clientId, { marketplace, name, shipments })
      : await connectCabinet(work, given.box, clientId, draft)
  const after = await findCabinet(work.tx, clientId, id)
  const state = given && {
    credentials_state: after?.credentials_state,
    credentials_rights: after?.credentials_rights,
    credentials_type: after?.credentials_type,
    credentials_note: after?.credentials_note,
    credentials_expire_at: after?.credentials_expire_at,
  }
  return { printed: { id, marketplace, name, ...state }, clientId, objectId: id, after }
}

function addKeyCommands(shell: Shell): void {
  const key = shell.sklad.command('key').description('API keys')
  addKeyMap(shell, key)
  key
    .command('list')
    .description("list a client's keys with the previews that sellers can name")
    .requiredOption('--client <id>', 'client')
    .action((options: { client: string }) =>
      withStore(shell, async (db) => {
        const clientId = idOf('client', options.client)
        return { keys: await allOf((page) => listApiKeys(db, clientId, page)) }
      }),
    )
  key
    .command('issue')
    .description('issue a key; its value is shown once')
    .requiredOption('--client <id>', 'client')
    .requiredOption('--name <name>', 'name of the integration that uses the key')
    .option('--receipts', 'allow POST /v1/receipts')
    .action((options: { client: string; name: string; receipts?: boolean }) =>
      runChange(shell, 'key issue', async (work, { cell }) => {
        const clientId = idOf('client', options.client)
        const draft = {
          name: requiredText('name', options.name),
          receiptsEnabled: options.receipts ?? false,
          cell,
        }
        const issued = await issueApiKey(work, clientId, draft)
        const after = await findApiKey(work.tx, clientId, issued.id)
        return { printed: { ...issued }, clientId, objectId: issued.id, after }
      }),
    )
  key
    .command('revoke')
    .description('revoke a key; the next request with it is refused')
    .argument('<id>', 'id of the key')
    .action((keyId: string) =>
      runChange(shell, 'key revoke', async (work) => {
        const id = idOf('id', keyId)
        const clientId = await ownerOfKey(work.tx, id)
        const before = await findApiKey(work.tx, clientId, id)
        const changed = await revokeApiKey(work, clientId, id)
        const after = await findApiKey(work.tx, clientId, id)
        return { printed: { id, revoked: true }, clientId, objectId: id, before, after, changed }
      }),
    )
}
