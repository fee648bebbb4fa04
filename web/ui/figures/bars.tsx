import { number } from '../../words/format.ts'

export interface Bar {
  readonly label: string
  readonly value: number
  /** The same figure in the period before. */
  readonly before?: number
}

interface BarsProps {
  readonly name: string
  readonly bars: readonly Bar[]
}

/** A picture that is a table too: each figure with its bar, and a thin one below for the period before. */
export function Bars({ name, bars }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ value, before = 0 }) => Math.max(value, before)))
  const widthOf = (value: number) => ({ width: `${(100 * value) / most}%` })
  const hasBefore = bars.some(({ before }) => before !== undefined)
  return (
    <table class="bars">
      <caption class="visually-hidden">{name}</caption>
      <thead class={hasBefore ? 'small quiet' : 'visually-hidden'}>
        <tr>
          <th scope="col">
            <span class="visually-hidden">Что</span>
          </th>
          <td />
          <th scope="col">Сейчас</th>
          {hasBefore && <th scope="col">Было</th>}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, value, before }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>
              {value > 0 && <div class="bar" style={widthOf(value)} />}
              {before !== undefined && before > 0 && (
                <div class="bar before" style={widthOf(before)} />
              )}
            </td>
            <td>{number(value)}</td>
            {hasBefore && <td class="quiet">{before === undefined ? '' : number(before)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
