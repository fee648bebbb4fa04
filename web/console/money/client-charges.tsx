import { useState } from 'preact/hooks'
import type { Client, StaffCharge } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
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
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Beside } from '../../ui/heading.tsx'
import { List } from '../../ui/lists/list.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { monthName } from '../../words/money.ts'
import { ExportLinks } from '../parts/export-links.tsx'
import { listOf, pathOf, paths } from '../paths.ts'
import { actsHrefs } from './client-acts.tsx'
import { Closing } from './closing.tsx'
import { NextDueMonth } from './due-months.tsx'
import { ManualCharge } from './manual-charge.tsx'

/** The months of a client, and one of them by service and line by line. */
export function ClientCharges({ client }: { readonly client: Client }) {
  const { query, hrefWith, go } = useAddress()
  const [version, setVersion] = useState(0)
  const { id } = client
  const month = monthIn(query)
  const { data, error, reload } = useAnswer(
    `month of ${id} ${month} ${version}`,
    async (signal) => {
      const of = { path: { id }, signal }
      const [sums, periods, forecast] = await Promise.all([
        staff('GET /clients/{id}/charges/summary', { ...of, query: { period: month } }),
        staff('GET /clients/{id}/billing-periods', of),
        month === monthIn({}) ? staff('GET /clients/{id}/charges/forecast', of) : undefined,
      ])
      return { sums, periods: periods.items, forecast }
    },
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const changed = (words: string) => {
    showToast(words)
    setVersion((last) => last + 1)
    go({ form: undefined, object: undefined })
  }
  const period = data.periods.find((each) => each.period === month)
  const due = data.periods.findLast((each) => each.closed_at === null && each.period < monthIn({}))
  const isOpen = period !== undefined && period.closed_at === null
  return (
    <Beside
      form={
        query.form === 'charge' && (
          <ManualCharge client={client} onSaved={() => changed('Начислено')} />
        )
      }
    >
      <div class="row">
        <ActionButton
          label="Посчитать сейчас"
          busy="Считаем…"
          act={async () => {
            await staff('POST /clients/{id}/charges/recount', { path: { id } })
            changed('Посчитано')
          }}
        />
        <a class="button" href={hrefWith({ form: 'charge' })}>
          Начислить вручную
        </a>
      </div>
      <Months
        periods={data.periods}
        shown={month}
        files={<ExportLinks list="billing-periods" filter={{ client_id: id }} />}
        none="Месяцев ещё нет: начисления начинаются с дня, с которого у склада или клиента есть тариф. Они считаются каждую ночь."
      />
      {data.periods.length === 0 && (
        <div class="row">
          <a
            class="button"
            href={listOf(paths.tariffs, { warehouse: client.warehouse_code, form: 'tariff' })}
          >
            Назвать цены склада
          </a>
          <a class="button" href={hrefWith({ part: 'tariff', form: 'tariff' })}>
            Назвать цены клиента
          </a>
        </div>
      )}
      {due !== undefined && due.period !== month && (
        <p class="notice">
          {monthName(due.period)}: месяц закончился и не закрыт.{' '}
          <a href={hrefWith({ month: due.period, service: undefined, day: undefined })}>
            Проверить и закрыть
          </a>
        </p>
      )}
      <h2>{monthName(month)}</h2>
      {data.forecast !== undefined && <ForecastLine of={data.forecast} />}
      <ChargeSums sums={data.sums} />
      {period?.closed_at && <Closed client={client} month={month} />}
      {isOpen && (
        <Closing
          key={`${month} ${version}`}
          client={client}
          month={month}
          amount={data.sums.amount}
          onClosed={() => changed('Месяц закрыт, акт составлен')}
        />
      )}
      <h2>За что</h2>
      <ChargeNarrowing sums={data.sums} />
      <List
        name="Начисления"
        of={`${id} ${month} ${query.service ?? ''} ${query.day ?? ''}`}
        version={version}
        columns={[...chargeColumns(hrefOf), ...(isOpen ? [cancelColumn(id, changed)] : [])]}
        keyOf={keyOfCharge}
        ask={({ signal, ...page }) =>
          staff('GET /clients/{id}/charges', {
            path: { id },
            query: { ...page, ...chargeFilterOf(query) },
            signal,
          })
        }
        files={<ExportLinks list="charges" filter={{ client_id: id, ...chargeFilterOf(query) }} />}
        empty="Начислений нет. Они появятся, когда склад окажет услугу по тарифу."
      />
    </Beside>
  )
}

/** The papers of a closed month, and where the next one waits. */
function Closed({ client, month }: { readonly client: Client; readonly month: string }) {
  const { id, warehouse_code: code } = client
  const { hrefWith } = useAddress()
  const { data, error, reload } = useAnswer(`acts of ${id} ${month}`, (signal) =>
    staff('GET /clients/{id}/acts', { path: { id }, query: { limit: 200 }, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  return (
    <>
      <Table
        name="Акты месяца"
        rows={data.items.filter(({ period }) => period === month)}
        keyOf={({ id }) => id}
        columns={actColumns(actsHrefs(id, hrefWith))}
      />
      <NextDueMonth code={code} />
    </>
  )
}

/** Where the object of a charge stands in the console. */
function hrefOf({ source, object }: StaffCharge): string | undefined {
  const { kind, id } = object ?? source
  const isObject =
    kind === 'receipt' ||
    kind === 'order' ||
    kind === 'shipment' ||
    kind === 'return' ||
    kind === 'count'
  return isObject ? pathOf(kind, id) : undefined
}

function cancelColumn(clientId: string, changed: (words: string) => void): Column<StaffCharge> {
  return {
    title: 'Действие',
    cell: ({ source, service_name }) =>
      source.kind === 'manual' && (
        <ConfirmButton
          label="Отменить"
          question={`Отменить «${service_name}»?`}
          consequence="Начисленное вручную исчезнет из месяца. Вернуть можно, только начислив заново."
          danger
          act={async () => {
            const path = { id: clientId, charge_id: source.id }
            await staff('DELETE /clients/{id}/manual-charges/{charge_id}', { path })
            changed('Начисление отменено')
          }}
        />
      ),
  }
}
