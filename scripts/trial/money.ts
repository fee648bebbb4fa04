import type { Call } from './calls.ts'

/** What the warehouse of the trial charges its seller for. */

const prices = {
  UNIT_RECEIVED: '6.00',
  MARK_GIVEN: '3.00',
  ORDER_PACKED: '45.00',
  FURTHER_UNIT: '12.00',
  SHIPMENT_HANDED_OVER: '350.00',
  RETURN_SELLABLE: '20.00',
  RETURN_DAMAGED: '25.00',
} as const

const provider = {
  name: 'ООО «Склад пробы»',
  inn: '7799001009',
  kpp: '779901001',
  address: 'Московская область, Подольск, Складская улица, 1',
  signatory: 'Генеральный директор Смирнова А. В.',
  vat_rate: 22,
  vat_included: false,
} as const

/** Sets the provider and the prices of the client's warehouse, from a day (YYYY-MM-DD) on. */
export async function setPrices(staff: Call, clientId: string, firstDay: string): Promise<void> {
  const { warehouse_code: code } = await staff('GET', `/clients/${clientId}`)
  await staff('PUT', `/warehouses/${code}/billing-providers`, { first_day: firstDay, ...provider })
  await staff('POST', `/warehouses/${code}/tariffs`, {
    first_day: firstDay,
    prices: Object.entries(prices).map(([service, price]) => ({
      service,
      steps: [{ up_to: null, price }],
    })),
  })
}

interface Sums {
  readonly amount: string
  readonly services: readonly {
    readonly service_name: string
    readonly quantity: string
    readonly amount: string
  }[]
}

/** What the day has come to so far, as the seller reads it: GET /v1/charges/summary. What is younger than a minute is not in it. */
export async function billOf(staff: Call, seller: Call, clientId: string): Promise<string> {
  await staff('POST', `/clients/${clientId}/charges/recount`)
  const { amount, services } = await seller<Sums>('GET', '/charges/summary')
  const roubles = (text: string) => `${text.replace('.', ',')} ₽`
  const lines = services.map((each) => {
    const { service_name: name, quantity } = each
    return `            ${name} × ${quantity}: ${roubles(each.amount)}`
  })
  return [`Начислено   ${roubles(amount)} без НДС (GET /v1/charges/summary)`, ...lines].join('\n')
}
