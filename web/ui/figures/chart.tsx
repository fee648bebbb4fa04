import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { number } from '../../words/format.ts'

export interface Slot {
  readonly label: string
  /** Undefined where it is still to come. */
  readonly value: number | undefined
  /** The same figure in the period before; undefined where nothing is compared. */
  readonly before?: number | undefined
  /** Its time is not over: it stands beside the curve, which would else seem to fall. */
  readonly isRunning?: boolean
}

const hourMs = 3_600_000
const lengths = { hour: hourMs, day: 24 * hourMs } as const

/** A figure of the hour or day that begins then; of a later one nothing is known yet. */
export function soFar(
  at: string,
  step: keyof typeof lengths,
  value: number,
): Pick<Slot, 'value' | 'isRunning'> {
  const start = Date.parse(at)
  const now = Date.now()
  if (start > now) return { value: undefined }
  return { value, isRunning: now < start + lengths[step] }
}

interface ChartProps {
  readonly title: string
  readonly slots: readonly Slot[]
  /** What the period before is called, beside its total and beside its curve. */
  readonly before?: string
  readonly dashes?: string
}

/**
 * A figure over time as a curve with an axis of values, the period before as a dashed one. What the pointer or the arrow keys
 * stand on is said below it, and all of it is a table too.
 */
export function Chart({
  title,
  slots,
  before = 'в прошлом периоде',
  dashes = 'прошлый период',
}: ChartProps) {
  const [at, setAt] = useState<number>()
  const place = useRef<HTMLDivElement>(null)
  const plot = usePlot(place, slots, setAt)
  const isCompared = slots.some(({ before }) => before !== undefined)
  const shown = at === undefined ? undefined : slots[at]
  return (
    <figure class="chart">
      <figcaption>
        {title}
        <div>
          <strong>{number(totalOf(slots, 'value'))}</strong>{' '}
          {isCompared && (
            <span class="quiet small">
              {before} {number(totalOf(slots, 'before'))}
            </span>
          )}
        </div>
      </figcaption>
      <div
        ref={place}
        class="chart-place"
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, slots.length - 1)}
        aria-valuenow={at ?? 0}
        aria-valuetext={
          shown === undefined ? totalsInWords(slots, isCompared && before) : inWords(shown)
        }
        onKeyDown={(event) => {
          const next = steppedTo(event.key, at, slots.length - 1)
          if (next === undefined) return
          event.preventDefault()
          point(plot.current, next)
          setAt(next)
        }}
        onBlur={() => setAt(undefined)}
      />
      <p class="small quiet chart-said" aria-hidden="true">
        {shown === undefined ? legendOf(slots, isCompared && dashes) : inWords(shown)}
      </p>
      <details>
        <summary class="small">Таблицей</summary>
        <SlotTable title={title} slots={slots} isCompared={isCompared} />
      </details>
    </figure>
  )
}

function totalOf(slots: readonly Slot[], of: 'value' | 'before'): number {
  return slots.reduce((total, slot) => total + (slot[of] ?? 0), 0)
}

function inWords({ label, value, before, isRunning }: Slot): string {
  const now = value === undefined ? 'ещё впереди' : `${isRunning ? 'пока ' : ''}${number(value)}`
  return `${label}: ${now}${before === undefined ? '' : `, было ${number(before)}`}`
}

/** What is drawn beside the curve. */
function legendOf(slots: readonly Slot[], dashes: string | false): string {
  const running = slots.find(({ isRunning }) => isRunning)
  const parts = [dashes && `Пунктир — ${dashes}`, running && `точка — ${running.label}, ещё идёт`]
  const legend = parts.filter(Boolean).join('; ')
  return legend.charAt(0).toUpperCase() + legend.slice(1)
}

function totalsInWords(slots: readonly Slot[], before: string | false): string {
  const total = `всего ${number(totalOf(slots, 'value'))}`
  return before ? `${total}, ${before} ${number(totalOf(slots, 'before'))}` : total
}

/** Where a key leads on the axis. */
function steppedTo(key: string, at: number | undefined, last: number): number | undefined {
  const clamped = (place: number) => Math.min(last, Math.max(0, place))
  if (key === 'ArrowRight' || key === 'ArrowUp') return clamped((at ?? -1) + 1)
  if (key === 'ArrowLeft' || key === 'ArrowDown') return clamped((at ?? last + 1) - 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

function point(plot: uPlot | undefined, at: number): void {
  plot?.setCursor({ left: plot.valToPos(at, 'x'), top: 0 }, false)
}

const height = 168

/** Draws the slots into a place: anew when they, the place's width or the colours of the page change. */
function usePlot(
  place: RefObject<HTMLDivElement | null>,
  slots: readonly Slot[],
  pointed: (at: number | undefined) => void,
): RefObject<uPlot | undefined> {
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(slots)
  latest.current = slots
  useEffect(() => {
    let isGone = false
    const widths = new ResizeObserver(([entry]) => {
      if (entry) plot.current?.setSize({ width: entry.contentRect.width, height })
    })
    const redraw = () => plot.current?.redraw(false)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const themes = new MutationObserver(redraw)
    // Loaded when the first chart is seen: the first page draws its figures without.
    void import('uplot').then(({ default: Plot }) => {
      const target = place.current
      if (isGone || target === null) return
      const options = optionsOf(target, () => latest.current, pointed)
      plot.current = new Plot(options, dataOf(latest.current), target)
      widths.observe(target)
      dark.addEventListener('change', redraw)
      themes.observe(document.documentElement, { attributes: true })
    })
    return () => {
      isGone = true
      widths.disconnect()
      themes.disconnect()
      dark.removeEventListener('change', redraw)
      plot.current?.destroy()
    }
  }, [place, pointed])
  useLayoutEffect(() => plot.current?.setData(dataOf(slots)), [slots])
  return plot
}

function dataOf(slots: readonly Slot[]): uPlot.AlignedData {
  return [
    slots.map((_, at) => at),
    slots.map(({ value, isRunning }) => (isRunning ? null : (value ?? null))),
    slots.map(({ before }) => before ?? null),
    slots.map(({ value, isRunning }) => (isRunning ? (value ?? null) : null)),
  ]
}

function optionsOf(
  place: HTMLElement,
  slots: () => readonly Slot[],
  pointed: (at: number | undefined) => void,
): uPlot.Options {
  const style = getComputedStyle(place)
  const token = (name: string) => () => style.getPropertyValue(name)
  const axis = {
    stroke: token('--text-quiet'),
    grid: { stroke: token('--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  }
  return {
    width: place.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false, y: false } },
    scales: { x: { time: false }, y: { range: (_, least, most) => spaceOf(least, most) } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        incrs: [...wholeSteps],
        space: 64,
        values: labelsOf(slots),
      },
      { ...axis, incrs: [...wholeSteps], size: sizeOfNumbers, values: (_, at) => at.map(number) },
    ],
    series: [
      {},
      { stroke: token('--accent'), fill: token('--accent-soft'), width: 2 },
      // Drawn last, so that it is seen where the figure is higher.
      { stroke: token('--line-strong'), dash: [4, 4], width: 1.5, points: { show: false } },
      { stroke: token('--accent'), width: 2, points: { show: true, size: 7 } },
    ],
    hooks: { setCursor: [({ cursor }) => pointed(cursor.idx ?? undefined)] },
  }
}

/** Units are whole: the steps of an axis are too. */
const wholeSteps = [1, 2, 5]
  .flatMap((step) => [...Array(9).keys()].map((n) => step * 10 ** n))
  .toSorted((a, b) => a - b)

/** From zero, with room above the highest value. What was undone can make a figure negative. */
function spaceOf(least: number | null, most: number | null): [number, number] {
  return [Math.min(0, least ?? 0), Math.max(1, (most ?? 0) * 1.1)]
}

const labelsOf = (slots: () => readonly Slot[]) => (_: uPlot, places: number[]) =>
  places.map((at) => slots()[at]?.label ?? '')

/** The width that the longest number of the axis takes. */
function sizeOfNumbers(_: uPlot, values: string[] | null): number {
  return 20 + 7 * Math.max(1, ...(values ?? []).map(({ length }) => length))
}

interface SlotTableProps extends Pick<ChartProps, 'title' | 'slots'> {
  readonly isCompared: boolean
}

function SlotTable({ title, slots, isCompared }: SlotTableProps) {
  return (
    <table class="bars">
      <caption class="visually-hidden">{title}</caption>
      <thead class="small quiet">
        <tr>
          <th scope="col">Когда</th>
          <th scope="col">Сейчас</th>
          {isCompared && <th scope="col">Было</th>}
        </tr>
      </thead>
      <tbody>
        {slots.map(({ label, value, before, isRunning }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{value === undefined ? '' : `${isRunning ? 'пока ' : ''}${number(value)}`}</td>
            {isCompared && <td class="quiet">{before === undefined ? '' : number(before)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
