import type { SharedWork, Work } from '../platform/db/work.ts'
import { day, minute, moscowDate } from '../platform/kernel/moscow-time.ts'
import { addManualCharge } from '../warehouse/billing/manual.ts'
import { closeMonth } from '../warehouse/billing/periods.ts'
import { providerOn, putProvider } from '../warehouse/billing/providers.ts'
import { computeCharges, monthAfter, monthOf, openPeriods } from '../warehouse/billing/run.ts'
import { addOwnService, listServices } from '../warehouse/billing/service-list.ts'
import { addTariff, listTariffs } from '../warehouse/billing/tariffs.ts'
import { warehouse } from './scenario/goods.ts'

/**
 * The bill of a sandbox. The warehouse of all sandboxes has a tariff. The charges of a copy come from the copied
 * facts, by the rules that hold for everybody. The months that have ended are closed with an act. They are computed
 * when the copy is made and when the key plays hours, under the lock of the sandbox.
 */

const firstDay = '2020-01-01'
const provider = {
  first_day: firstDay,
  name: 'ООО «Склад песочницы»',
  inn: '7799001009',
  kpp: '779901001',
  address: 'Московская область, Подольск, Складская улица, 1',
  signatory: 'Генеральный директор Смирнова А. В.',
  vat_rate: 22,
  vat_included: false,
} as const

const joining = { code: 'OWN_JOINING', name: 'Подключение клиента', unit: 'раз' }

const flat = (price: string) => [{ up_to: null, price }]
const tariff = {
  first_day: firstDay,
  prices: [
    { service: 'UNIT_RECEIVED', steps: flat('6.00') },
    { service: 'MARKED_UNIT_RECEIVED', steps: flat('3.50') },
    { service: 'STORAGE_UNIT_DAY', steps: flat('0.35') },
    { service: 'ORDER_PACKED', steps: [{ up_to: 300, price: '45.00' }, ...flat('39.00')] },
    { service: 'FURTHER_UNIT', steps: flat('12.00') },
    { service: 'SHIPMENT_HANDED_OVER', steps: flat('350.00') },
    { service: 'RETURN_SELLABLE', steps: flat('20.00') },
    { service: 'RETURN_DAMAGED', steps: flat('25.00') },
    { service: 'RETURN_UNKNOWN', steps: flat('20.00') },
    { service: joining.code, steps: flat('5000.00') },
  ],
}

/** Before the scenario's first day, and in another month than its last one, whichever day that is. */
const joinedDaysAgo = 31

/** Gives the warehouse of the sandboxes what it lacks to charge. */
export async function ensureTerms(work: Work): Promise<void> {
  const { code } = warehouse
  if ((await providerOn(work.tx, code, moscowDate(work.now))) === undefined)
    await putProvider(work, code, provider)
  const services = await listServices(work.tx, code)
  if (!services.some((each) => each.code === joining.code)) await addOwnService(work, code, joining)
  if ((await listTariffs(work.tx, { warehouse: code })).length === 0)
    await addTariff(work, { warehouse: code, servicesOf: code }, tariff)
}

/** Charges a new copy for its month, and closes what has ended of it. */
export async function chargeCopy(work: Work, clientId: string): Promise<void> {
  const joined = moscowDate(work.now - joinedDaysAgo * day)
  const all = { ...work, ...settled(work) }
  await openPeriods(all, clientId, joined)
  await addManualCharge(
    work,
    { clientId, warehouse: warehouse.code },
    { service: joining.code, day: joined, quantity: '1', price: '5000.00', comment: joining.name },
  )
  for (let month = monthOf(joined); month < monthOf(moscowDate(work.now)); ) {
    await closeMonth(all, clientId, month)
    month = monthAfter(month)
  }
}

/** Charges a sandbox for all that has happened in it. */
export async function chargeNow(work: Work, clientId: string): Promise<void> {
  const all = settled(work)
  await openPeriods(all, clientId, moscowDate(work.now))
  await computeCharges(all, clientId)
}

/** Nobody else writes to the sandbox, so its youngest facts count as well. */
function settled({ tx, now, at }: SharedWork): SharedWork {
  return { tx, at, now: now + minute + 1 }
}
