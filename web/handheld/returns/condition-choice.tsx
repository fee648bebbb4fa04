import { type Condition, conditions } from './verdict.ts'

interface ConditionChoiceProps {
  readonly chosen: Condition
  readonly choose: (condition: Condition) => void
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
