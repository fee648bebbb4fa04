import type { FlowGroup } from '../../../src/warehouse/shipments/today-flow.ts'
import type { GroupedFlow } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Deadline } from '../../ui/deadline.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { number } from '../../words/format.ts'
import { listOf, paths } from '../paths.ts'
import { readScope } from '../scope/kept.ts'
import { stageWords } from './stages.ts'

export const flowGroupTitles = {
  marketplace: 'По маркетплейсам',
  client: 'По клиентам',
  warehouse: 'По складам',
} as const satisfies Readonly<Record<FlowGroup, string>>

/** By which filter of the orders a group is found. */
const filters = {
  marketplace: 'marketplace',
  client: 'client_id',
  warehouse: 'warehouse_code',
} as const satisfies Readonly<Record<FlowGroup, string>>

const refreshMs = 15_000

/** The stages of each marketplace, client or warehouse; every figure leads to its orders. */
export function FlowTable({ by }: { readonly by: FlowGroup }) {
  const scope = readScope(useAddress().query)
  const { data, error, reload } = useAnswer(
    `flow by ${by} of ${JSON.stringify(scope)}`,
    (signal) => staff('GET /today/flow', { query: { by, ...scope }, signal }),
    { refreshMs },
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const groups = [...new Map(data.items.map(({ group, group_name }) => [group, group_name]))]
  if (groups.length === 0) return <p class="quiet">Сейчас заказов в пути нет.</p>
  return (
    <div class="panel flow-table">
      <table>
        <caption class="visually-hidden">Путь заказов: {flowGroupTitles[by].toLowerCase()}</caption>
        <thead class="small quiet">
          <tr>
            <th scope="col">
              <span class="visually-hidden">Что</span>
            </th>
            {stageWords.map(([stage, title]) => (
              <th key={stage} scope="col">
                {title}
              </th>
            ))}
            <th scope="col">Ближайший срок</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(([group, name]) => (
            <Row key={group} by={by} name={name} group={group} flow={data} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly by: FlowGroup
  readonly group: string
  readonly name: string
  readonly flow: GroupedFlow
}

function Row({ by, group, name, flow }: RowProps) {
  const parts = flow.items.filter((part) => part.group === group)
  const [deadline] = parts.flatMap((part) => part.deadline ?? []).toSorted()
  return (
    <tr>
      <th scope="row">{name}</th>
      {stageWords.map(([stage]) => {
        const part = parts.find((each) => each.stage === stage)
        return (
          <td key={stage}>
            {part === undefined ? (
              <span class="quiet">0</span>
            ) : (
              <a href={listOf(paths.orders, { stage, [filters[by]]: group })}>
                {number(part.orders_count)}
              </a>
            )}
          </td>
        )
      })}
      <td>{deadline ? <Deadline at={deadline} /> : <span class="quiet">—</span>}</td>
    </tr>
  )
}
