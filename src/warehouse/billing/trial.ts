import Type from 'typebox'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { calendarDay, named, type Shown } from '../../platform/kernel/schema.ts'
import { derivedCharges } from './derive.ts'
import { quantityText, roubles } from './money.ts'
import { type BillingPeriod, billingScope, settledBy } from './run.ts'
import { serviceNames } from './service-list.ts'

/** What a month would have cost by a version of the warehouse's tariff. Stores nothing. */

const money = (description: string) => Type.String({ examples: ['1250.00'], description })

const TriedService = Type.Object(
  {
    service: Type.String({ description: 'Код услуги.' }),
    service_name: Type.String({ description: 'Услуга по-русски.' }),
    unit: Type.String({ description: 'За что цена.' }),
    quantity: Type.String({ examples: ['12'], description: 'Количество, до трёх знаков.' }),
    amount: money('Было бы по этой версии, рубли.'),
    charged: money('Начислено, рубли.'),
  },
  { $id: 'TriedService', description: 'Услуга месяца по другой версии тарифа.' },
)
export const TariffTrial = Type.Object(
  {
    period: calendarDay('Месяц: его первый день.'),
    version: Type.Integer({ description: 'Версия тарифа склада.' }),
    amount: money('Всего было бы по этой версии, рубли.'),
    charged: money('Всего начислено, рубли.'),
    difference: money('На сколько по этой версии больше, рубли; с минусом — меньше.'),
    services: Type.Array(named<Shown<typeof TriedService>>(TriedService), {
      description: 'По услугам.',
    }),
  },
  { $id: 'TariffTrial', description: 'Месяц клиента по версии тарифа склада.' },
)
export type TariffTrial = Shown<typeof TariffTrial>

interface TriedRow {
  service: string
  service_name: string
  unit: string
  quantity: string
  amount: number
  charged: number
}

/** The charges of the month's days, and what they would be; prices of the client still go before those of the version. */
export function tryTariff(
  db: Database,
  clientId: string,
  given: TrialRequest,
): Promise<TariffTrial> {
  return db.begin('read only', async (tx) => {
    // A long statement: compiling it would take a server seconds.
    await tx`set local jit = off`
    return tried(tx, clientId, given)
  })
}

interface TrialRequest extends BillingPeriod {
  readonly version: number
  readonly now: Instant
}

async function tried(
  db: Queryable,
  clientId: string,
  { version, now, ...period }: TrialRequest,
): Promise<TariffTrial> {
  const scope = { ...billingScope(clientId, period, settledBy(now)), trial: version }
  const rows = await db<TriedRow[]>`
    select service, coalesce(s.name, service) as service_name, coalesce(s.unit, '') as unit,
      coalesce(t.quantity, k.quantity)::text as quantity, coalesce(t.amount, 0)::bigint as amount,
      coalesce(k.amount, 0)::bigint as charged
    from (
      select service, sum(quantity) as quantity, sum(amount)::bigint as amount
      from (${derivedCharges(db, scope)}) d group by service
    ) t
    full join (
      select service, sum(quantity) as quantity, sum(amount)::bigint as amount from charges
      where client_id = ${clientId} and day >= moscow_day(${scope.from}) and day < moscow_day(${scope.to})
      group by service
    ) k using (service)
    left join (${serviceNames(db, clientId)}) s on s.code = service
    order by s.place, service`
  const [amount, charged] = (['amount', 'charged'] as const).map((of) =>
    rows.reduce((sum, row) => sum + row[of], 0),
  ) as [number, number]
  return {
    period: period.month,
    version,
    amount: roubles(amount),
    charged: roubles(charged),
    difference: roubles(amount - charged),
    services: rows.map((row) => ({
      ...row,
      quantity: quantityText(row.quantity),
      amount: roubles(row.amount),
      charged: roubles(row.charged),
    })),
  }
}
