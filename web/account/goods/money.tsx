import type { Charge } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useAddress } from '../../ui/address.ts'
import { actColumns } from '../../ui/billing/acts.tsx'
import {
  ChargeNarrowing,
  ChargeSums,
  chargeColumns,
  chargeFilterOf,
  ForecastLine,
  keyOfCharge,
  monthIn,
} from '../../ui/billing/charges.tsx'
import { Months } from '../../ui/billing/months.tsx'
import { List } from '../../ui/lists/list.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { monthName } from '../../words/money.ts'
import { account } from '../api.ts'
import { AskByApi } from '../parts/copy.tsx'
import { ListFiles } from '../parts/list-files.tsx'
import { Loaded, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'

/** What the warehouse charges: a month by service, day and line, the months before, and acts. */
export function Money() {
  const { query } = useAddress()
  const month = monthIn(query)
  const money = useAnswer('months and acts', async (signal) => {
    const [periods, acts] = await Promise.all([
      account('GET /billing-periods', { signal }),
      account('GET /acts', { query: { limit: 200 }, signal }),
    ])
    return { periods: periods.items, acts: acts.items }
  })
  return (
    <Page title="Деньги">
      <Loaded answer={money}>
        {({ periods, acts }) => (
          <>
            <Months
              periods={periods}
              shown={month}
              files={<ListFiles list="billing-periods" />}
              none="Месяцев ещё нет: склад начислит первое, когда окажет услугу по своему тарифу."
            />
            <Month month={month} />
            <h2>Акты</h2>
            <Table
              name="Акты"
              rows={acts}
              keyOf={({ id }) => id}
              columns={actColumns({
                charges: ({ period }) => paths.moneyOf(period),
                act: ({ id }) => `/account/v1/acts/${id}`,
              })}
              files={<ListFiles list="acts" />}
              empty={
                <p class="quiet">Актов ещё нет: склад составляет их, когда закрывает месяц.</p>
              }
            />
          </>
        )}
      </Loaded>
      <AskByApi paths={['/charges', '/charges/summary', '/acts']} />
    </Page>
  )
}

function Month({ month }: { readonly month: string }) {
  const { query } = useAddress()
  const isCurrent = month === monthIn({})
  const sums = useAnswer(`charges of ${month}`, async (signal) => {
    const [sums, forecast] = await Promise.all([
      account('GET /charges/summary', { query: { period: month }, signal }),
      isCurrent ? account('GET /charges/forecast', { signal }) : undefined,
    ])
    return { sums, forecast }
  })
  return (
    <Loaded answer={sums}>
      {({ sums: data, forecast }) => (
        <>
          <h2>{monthName(month)}</h2>
          {forecast !== undefined && <ForecastLine of={forecast} />}
          <ChargeSums sums={data} />
          <h2>За что</h2>
          <ChargeNarrowing sums={data} />
          <List
            name="Начисления"
            of={`${month} ${query.service ?? ''} ${query.day ?? ''}`}
            columns={chargeColumns(hrefOf)}
            keyOf={keyOfCharge}
            ask={({ signal, ...page }) =>
              account('GET /charges', { query: { ...page, ...chargeFilterOf(query) }, signal })
            }
            files={<ListFiles list="charges" filter={chargeFilterOf(query)} />}
            empty={<p>Начислений нет. Они появятся, когда склад окажет услугу по тарифу.</p>}
          />
        </>
      )}
    </Loaded>
  )
}

/** Where the object of a charge stands in the account. */
function hrefOf({ source: { kind, id } }: Charge): string | undefined {
  if (kind === 'receipt') return paths.receipt(id)
  if (kind === 'order') return paths.order(id)
  if (kind === 'shipment') return paths.shipment(id)
  return kind === 'return' ? paths.returnBatch(id) : undefined
}
