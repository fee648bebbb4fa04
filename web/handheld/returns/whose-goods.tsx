import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import type { Entry } from '../queue/disk.ts'
import { Choice } from '../scan/choice.tsx'

export interface Owner {
  readonly id: string
  readonly name: string
}

interface WhoseGoodsProps {
  /** The scan that was refused. */
  readonly refused: Entry
  readonly onChosen: (owner: Owner) => void
  readonly onClose: () => void
}

/** Kinds of what a unit that comes back may be named by. */
const kinds = ['goods', 'order', 'return', 'marking_code']

/** Several clients have the code: the worker says whose the unit is. Any other refusal asks nothing. */
export function WhoseGoods({ refused, onChosen, onClose }: WhoseGoodsProps) {
  const code = String(refused.body.code)
  const owners = useAnswer(code, async (signal) => {
    const { matches } = await staff('GET /lookup', { query: { code }, signal })
    const found = new Map<string, Owner>()
    for (const { kind, client_id: id, client_name: name } of matches) {
      if (id !== null && kinds.includes(kind)) found.set(id, { id, name: name ?? id })
    }
    return [...found.values()]
  })
  if (owners.data === undefined || owners.data.length < 2) return null
  return (
    <Choice title="Чей это товар?" onClose={onClose}>
      <p class="code">{code}</p>
      <p>Такой код есть у нескольких клиентов. Посмотрите, чья это посылка.</p>
      {owners.data.map((owner) => (
        <button key={owner.id} type="button" class="wide" onClick={() => onChosen(owner)}>
          {owner.name}
        </button>
      ))}
    </Choice>
  )
}

/** Whether the refused call is a unit of which nobody has said whose it is. */
export function mayBeAnyones({ name, body }: Entry): boolean {
  return name === 'POST /returns/scans' && body.client_id === undefined
}
