import type { Act, Charge } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { actColumns } from '../../ui/acts.tsx'
import { useAddress } from '../../ui/address.ts'
import {
  ChargeNarrowing,
  ChargeSums,
  chargeColumns,
  chargeFilterOf,
  ForecastLine,
  keyOfCharge,
  monthIn,
} from '../../ui/charges.tsx'
import { List } from '../../ui/list.tsx'
import { Table } from '../../ui/table.tsx'
import { monthLater, monthName } from '../../words/money.ts'
import { account } from '../api.ts'
import { AskByApi } from '../parts/copy.tsx'
import { Loaded, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'

/** What the warehouse charges: a month by service, day and line, the months before, and acts. */
export function Money() {
  const { query } = useAddress()
  const month = monthIn(query)
  const acts = useAnswer('acts', (signal) =>
    account('GET /acts', { query: { limit: 200 }, signal }),
  )
  return (
    <Page title="Деньги">
      <Loaded answer={acts}>
        {({ items }) => (
          <>
            <Months acts={items} shown={month} />
            <Month month={month} />
            <h2>Акты</h2>
            {items.length === 0 ? (
              <p class="quiet">Актов ещё нет: склад составляет их, когда закрывает месяц.</p>
            ) : (
              <Table
                name="Акты"
                rows={items}
                keyOf={({ id }) => id}
                columns={actColumns({
                  charges: ({ period }) => paths.moneyOf(period),
                  act: ({ id }) => `/account/v1/acts/${id}`,
                })}
              />
            )}
          </>
        )}
      </Loaded>
      <AskByApi paths={['/charges', '/charges/summary', '/acts']} />
    </Page>
  )
}

const openMonthsMax = 12

interface MonthsProps {
  readonly acts: readonly Act[]
  readonly shown: string
}

/** This month, those that are not closed yet, and those with an act. */
function Months({ acts, shown }: MonthsProps) {
  // A month in which the client moved has an act of each warehouse.
  const closed = [...new Set(acts.map(({ period }) => period))]
  const now = monthIn({})
  const open = Array.from({ length: openMonthsMax }, (_, ago) => monthLater(now, -ago))
  const last = closed[0] ?? monthLater(now, -2)
  const months = [...open.filter((month) => month > last), ...closed]
  return (
    <nav class="row" aria-label="Месяц">
      {months.map((month) => (
        <a
          key={month}
          class="button"
          aria-current={month === shown ? 'true' : undefined}
          href={paths.moneyOf(month)}
        >
          {monthName(month)}
        </a>
      ))}
    </nav>
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
            empty={<p>Начислений нет.</p>}
          />
        </>
      )}
    </Loaded>
  )
}

/** Where the object of a charge stands in the account. */
function hrefOf({ kind, id }: Charge['source']): string | undefined {
  if (kind === 'receipt') return paths.receipt(id)
  if (kind === 'order') return paths.order(id)
  if (kind === 'shipment') return paths.shipment(id)
  return kind === 'return' ? paths.returnBatch(id) : undefined
}
