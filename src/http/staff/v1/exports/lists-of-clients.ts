import { listWebhooks } from '../../../../exchange/webhooks/queries.ts'
import { listApiKeys } from '../../../../identity/keys/api-keys.ts'
import { listKeyRequests } from '../../../../identity/keys/key-requests.ts'
import { listInvitations } from '../../../../identity/sellers/invitations.ts'
import { listMembers } from '../../../../identity/sellers/members.ts'
import { onePage } from '../../../../platform/db/lists/page.ts'
import { listCharges } from '../../../../warehouse/billing/charges.ts'
import { listActs, listPeriods } from '../../../../warehouse/billing/periods.ts'
import {
  chargeFile,
  invitationFile,
  keyRequestFile,
  memberFile,
  periodFile,
  webhookFile,
} from '../../../files/client-tables.ts'
import { joinedQuery, query, text } from '../../../route/query.ts'
import { demandMoney } from '../../gate.ts'
import { chargesQuery } from '../billing/charges.ts'
import { clientInPath } from '../clients/clients.ts'
import {
  codeCell,
  type ExportSource,
  exportedList,
  filledColumns,
  momentCell,
  moneyCell,
  numberCell,
  ownerNamed,
  wordCell,
  yesOrNo,
} from './exported-list.ts'

/** The people, programs and money of one client, as files. */

const ofClient = query({
  client_id: text({ description: 'Клиент; нужен спискам одного клиента.' }),
})

async function clientNamed(source: ExportSource, id: string | undefined): Promise<string> {
  return (await ownerNamed(source, ['client_id', id], clientInPath)).clientId
}

const keys = exportedList({
  title: 'Ключи API',
  query: ofClient,
  read: async (source, { client_id }, page) =>
    listApiKeys(source.db, await clientNamed(source, client_id), page),
}).withColumns([
  wordCell('Ключ', ({ name }) => name),
  wordCell('Начало и конец', ({ preview }) => preview),
  wordCell('Заявки', (key) => yesOrNo(key.receipts_enabled)),
  momentCell('Выпущен', (key) => key.created_at),
  momentCell('Запрос', (key) => key.last_used_at),
  momentCell('Отозван', (key) => key.revoked_at),
])

const keyRequests = exportedList({
  title: 'Заявки на ключи',
  query: ofClient,
  read: async (source, { client_id }) =>
    onePage(await listKeyRequests(source.db, await clientNamed(source, client_id))),
}).withColumns(filledColumns(keyRequestFile))

const clientUsers = exportedList({
  title: 'Пользователи личного кабинета',
  query: ofClient,
  read: async (source, { client_id }) =>
    onePage(await listMembers(source.db, await clientNamed(source, client_id))),
}).withColumns(filledColumns(memberFile))

const invitations = exportedList({
  title: 'Приглашения в личный кабинет',
  query: ofClient,
  read: async (source, { client_id }) =>
    onePage(await listInvitations(source.db, await clientNamed(source, client_id), source.now)),
}).withColumns(filledColumns(invitationFile))

const webhooks = exportedList({
  title: 'Вебхуки',
  query: ofClient,
  read: async (source, { client_id }) =>
    onePage(await listWebhooks(source.db, await clientNamed(source, client_id))),
}).withColumns(filledColumns(webhookFile))

const charges = exportedList({
  title: 'Начисления',
  query: joinedQuery(ofClient, chargesQuery),
  read: async (source, { client_id, ...asked }, page) => {
    demandMoney(source.request)
    return listCharges(source.db, await clientNamed(source, client_id), asked, page)
  },
}).withColumns(filledColumns(chargeFile))

const acts = exportedList({
  title: 'Акты',
  query: ofClient,
  read: async (source, { client_id }, page) => {
    demandMoney(source.request)
    return listActs(source.db, await clientNamed(source, client_id), page)
  },
}).withColumns([
  numberCell('Номер', (act) => act.number),
  codeCell('Месяц', ({ period }) => period.slice(0, 7)),
  codeCell('Дата', ({ day }) => day),
  moneyCell('Начислено, руб.', ({ amount }) => Number(amount)),
  moneyCell('НДС, руб.', ({ vat }) => Number(vat)),
  moneyCell('К оплате, руб.', ({ total }) => Number(total)),
])

const periods = exportedList({
  title: 'Расчётные периоды',
  query: ofClient,
  read: async (source, { client_id }) => {
    demandMoney(source.request)
    return onePage(await listPeriods(source.db, await clientNamed(source, client_id)))
  },
}).withColumns(filledColumns(periodFile))

export const listsOfClients = {
  ...{ keys, invitations, webhooks, charges, acts },
  'key-requests': keyRequests,
  'client-users': clientUsers,
  'billing-periods': periods,
}
