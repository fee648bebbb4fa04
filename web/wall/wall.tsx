import type { DeviceHere, GroupedFlow } from '../api/staff-calls.ts'
import { useAnswer } from '../api/use-answer.ts'
import { stageWords } from '../console/today/stages.ts'
import { staff } from '../staff/api.ts'
import { Clock } from '../staff/clock.tsx'
import { useDeviceHere } from '../staff/device-here.ts'
import { EnrolForm } from '../staff/enrol-form.tsx'
import { Deadline } from '../ui/deadline.tsx'
import { Failure } from '../ui/failure.tsx'
import { moment, number } from '../words/format.ts'
import { Day } from './day.tsx'

const refreshMs = 15_000

/** Only an enrolled screen shows the wall's page: nobody signs in there. */
export function WallGate() {
  const { device, error, reload } = useDeviceHere('SCREEN')
  if (device) return <Wall device={device} />
  if (device === undefined && error === undefined) return null
  const isRevoked = error?.code === 'device_revoked'
  return (
    <main class="centred">
      <div class="panel stack">
        <h1>Экран на стене</h1>
        {isRevoked && (
          <p class="notice warn" role="alert">
            Этот экран отозвали. Попросите у менеджера новый код.
          </p>
        )}
        {error !== undefined && !isRevoked ? (
          <Failure error={error} retry={reload} />
        ) : (
          <>
            <p>
              Показывает, сколько заказов должно уехать сегодня. Код даёт менеджер: «Терминалы».
            </p>
            <EnrolForm purpose="SCREEN" onEnrolled={reload} />
          </>
        )}
      </div>
    </main>
  )
}

type Part = GroupedFlow['items'][number]

/** The way of the orders of one warehouse, in large type, without people and without anything to press. */
function Wall({ device }: { readonly device: DeviceHere }) {
  const { data, answeredAt, error } = useAnswer(
    'flow',
    (signal) => staff('GET /today/flow', { query: { by: 'marketplace' }, signal }),
    { refreshMs },
  )
  const curve = useAnswer('curve', (signal) => staff('GET /today/curve', { signal }), { refreshMs })
  return (
    <main class="wall">
      <header>
        <h1>{device.name}</h1>
        <Clock />
      </header>
      <Failure error={error}>
        {answeredAt !== undefined && <p>Данные от {moment(answeredAt)}: свежих пока нет.</p>}
      </Failure>
      {data !== undefined && (
        <ol aria-label="Путь заказов">
          {stageWords.map(([stage, title]) => (
            <Stage
              key={stage}
              title={title}
              parts={data.items.filter((part) => part.stage === stage)}
            />
          ))}
        </ol>
      )}
      {curve.data !== undefined && <Day curve={curve.data} />}
    </main>
  )
}

interface StageProps {
  readonly title: string
  readonly parts: readonly Part[]
}

function Stage({ title, parts }: StageProps) {
  const orders = parts.reduce((sum, part) => sum + part.orders_count, 0)
  const units = parts.reduce((sum, part) => sum + part.units, 0)
  const [deadline] = parts.flatMap((part) => part.deadline ?? []).toSorted()
  const each = parts.map((part) => `${part.group_name} ${number(part.orders_count)}`)
  return (
    <li class="panel">
      <h2>{title}</h2>
      <strong>{number(orders)}</strong>
      <p class="quiet">{[`${number(units)} шт.`, ...each].join(' · ')}</p>
      {deadline && <Deadline at={deadline} />}
    </li>
  )
}
