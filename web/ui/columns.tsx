import { number } from '../words/format.ts'

export interface Slot {
  readonly label: string
  readonly value: number
  /** The same figure in the period before. */
  readonly before: number
}

interface ColumnsProps {
  readonly title: string
  readonly slots: readonly Slot[]
}

const height = 100
const slotWidth = 10

/** A figure over time as columns, the period before beside each one, and all of it as a table. */
export function Columns({ title, slots }: ColumnsProps) {
  const most = Math.max(1, ...slots.map(({ value, before }) => Math.max(value, before)))
  const [now, before] = [totalOf(slots, 'value'), totalOf(slots, 'before')]
  const about = `${title}: ${number(now)}, в прошлом периоде ${number(before)}`
  return (
    <figure class="columns">
      <figcaption>
        {title}
        <div>
          <strong>{number(now)}</strong>{' '}
          <span class="quiet small">в прошлом периоде {number(before)}</span>
        </div>
      </figcaption>
      <svg
        role="img"
        aria-label={about}
        viewBox={`0 0 ${slots.length * slotWidth} ${height}`}
        preserveAspectRatio="none"
      >
        <line class="half" x1={0} x2={slots.length * slotWidth} y1={height / 2} y2={height / 2} />
        {slots.map((slot, index) => (
          <g key={slot.label}>
            <title>{`${slot.label}: ${number(slot.value)}, было ${number(slot.before)}`}</title>
            <rect class="ground" x={index * slotWidth} y={0} width={slotWidth} height={height} />
            <Column at={index * slotWidth + 1} width={5} value={slot.value / most} name="now" />
            <Column at={index * slotWidth + 6} width={3} value={slot.before / most} name="before" />
          </g>
        ))}
      </svg>
      <div class="row small quiet ends" aria-hidden="true">
        {ticksOf(slots).map(({ label }) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <details>
        <summary class="small">Таблицей</summary>
        <SlotTable title={title} slots={slots} />
      </details>
    </figure>
  )
}

/** The first, the last and what stands evenly between them. */
function ticksOf(slots: readonly Slot[]): readonly Slot[] {
  const last = slots.length - 1
  const places = [0, 1, 2, 3].map((part) => Math.round((part * last) / 3))
  return [...new Set(places)].flatMap((place) => slots[place] ?? [])
}

function totalOf(slots: readonly Slot[], of: 'value' | 'before'): number {
  return slots.reduce((total, slot) => total + slot[of], 0)
}

interface ColumnProps {
  readonly at: number
  readonly width: number
  /** From 0 to 1; what was undone can make it negative. */
  readonly value: number
  readonly name: 'now' | 'before'
}

function Column({ at, width, value, name }: ColumnProps) {
  const size = Math.max(0, value) * height
  return <rect class={name} x={at} y={height - size} width={width} height={size} />
}

function SlotTable({ title, slots }: ColumnsProps) {
  return (
    <table class="bars">
      <caption class="visually-hidden">{title}</caption>
      <thead class="small quiet">
        <tr>
          <th scope="col">Когда</th>
          <th scope="col">Сейчас</th>
          <th scope="col">Было</th>
        </tr>
      </thead>
      <tbody>
        {slots.map(({ label, value, before }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{number(value)}</td>
            <td class="quiet">{number(before)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
