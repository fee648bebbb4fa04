import { useInAddress } from '../use-in-address.ts'
import { type Condition, conditions } from './verdict.ts'

interface ConditionChoiceProps {
  readonly chosen: Condition
  readonly choose: (condition: Condition) => void
}

/** The chosen condition; the address holds it. */
export function useCondition() {
  const inAddress = useInAddress('condition')
  const name = inAddress.now() ?? ''
  const condition = name in conditions ? (name as Condition) : 'unknown'
  return [condition, (next: Condition) => inAddress.set(next)] as const
}

/** What the units that are scanned next are like. */
export function ConditionChoice({ chosen, choose }: ConditionChoiceProps) {
  return Object.entries(conditions).map(([name, label]) => (
    <button
      key={name}
      type="button"
      class={name === chosen ? 'chosen' : ''}
      aria-pressed={name === chosen}
      onClick={() => choose(name as Condition)}
    >
      {label}
    </button>
  ))
}
