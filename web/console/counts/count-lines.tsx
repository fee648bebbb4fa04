import { useLocation } from 'preact-iso'
import { afterCountVerb, type CountOutcome } from '../../../src/warehouse/counts/state.ts'
import type { StockCount } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { Choice, Form, type FormValues, oneOfChoices } from '../../ui/forms/form.tsx'
import { Beside } from '../../ui/heading.tsx'
import { Bulk, type BulkAction, useSelection } from '../../ui/lists/bulk.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { number, plural } from '../../words/format.ts'
import { ExportLinks } from '../parts/export-links.tsx'
import { useReasons } from '../parts/reasons.ts'
import { ReasonChoice } from '../stock/correction-fields.tsx'

type CountLine = NonNullable<StockCount['lines']>[number]

const outcomes: Readonly<Record<CountOutcome, string>> = {
  correct: 'Исправить остаток',
  in_question: 'Поставить под вопрос',
  ignore: 'Ничего не менять',
}

interface CountLinesProps {
  readonly count: StockCount
  readonly manages: boolean
  readonly reload: () => void
}

/** What was counted against what was expected; a manager decides on each line that differs. */
export function CountLines({ count, manages, reload }: CountLinesProps) {
  const { query } = useAddress()
  const columns = useColumns()
  const lines = count.lines ?? []
  const named = lines.find(({ barcode }) => barcode === query.line)
  // Whoever came to decide is led from line to line.
  const decided = named ?? (query.decide === 'next' ? lines.find(isOpen) : undefined)
  const decides = manages && afterCountVerb(count.status, 'decide') !== undefined
  const form = decides && decided && isOpen(decided) && (
    <Decide key={decided.barcode} count={count} line={decided} done={reload} />
  )
  if (lines.length === 0)
    return <div class="empty">Ещё ничего не посчитали: товар сканируют на терминале.</div>
  return (
    <Beside form={form}>
      {decides && lines.some(isOpen) ? (
        <OpenLines count={count} lines={lines} columns={columns} done={reload} />
      ) : (
        <Table
          name="Строки пересчёта"
          rows={lines}
          columns={decides ? [...columns, decisionColumn] : columns}
          keyOf={barcodeOf}
          files={<Files count={count} />}
        />
      )}
    </Beside>
  )
}

function Files({ count: { id } }: Pick<CountLinesProps, 'count'>) {
  return <ExportLinks list="count-lines" filter={{ count_id: id }} />
}

const barcodeOf = ({ barcode }: CountLine) => barcode

interface OpenLinesProps {
  readonly count: StockCount
  readonly lines: readonly CountLine[]
  readonly columns: readonly Column<CountLine>[]
  readonly done: () => void
}

/** Lines that can be decided about one by one, or together. */
function OpenLines({ count, lines, columns, done }: OpenLinesProps) {
  const { id } = count
  const selection = useSelection(id)
  const decide: BulkAction<CountLine> = {
    label: 'Решить отмеченные',
    question: (chosen) => `Решить ${plural(chosen, 'строку', 'строки', 'строк')} одинаково?`,
    consequence: 'Остатки изменятся сразу, решение не отменяется.',
    fields: <DecisionFields />,
    titleOf: ({ name }) => name,
    because: (line) => (isOpen(line) ? undefined : 'Среди отмеченных нет строк без решения'),
    act: ({ barcode }, values) =>
      staff('POST /counts/{id}/lines/{barcode}/accept', {
        path: { id, barcode },
        body: decisionOf(values),
      }),
  }
  return (
    <>
      <Bulk actions={[decide]} rows={lines} keyOf={barcodeOf} selection={selection} done={done} />
      <Table
        name="Строки пересчёта"
        rows={lines}
        columns={[...columns, decisionColumn]}
        keyOf={barcodeOf}
        selection={selection}
        files={<Files count={count} />}
      />
    </>
  )
}

function decisionOf(values: FormValues) {
  return {
    outcome: oneOfChoices(values, 'outcome', outcomes),
    reason: values.text('reason'),
  }
}

function DecisionFields() {
  return (
    <>
      <Choice
        name="outcome"
        label="Что сделать с разницей"
        options={Object.entries(outcomes).map(([value, text]) => ({ value, text }))}
      />
      <ReasonChoice value="COUNT" />
    </>
  )
}

function useColumns(): readonly Column<CountLine>[] {
  const { options = [] } = useReasons('correction')
  const reasonOf = ({ reason }: CountLine) => options.find(({ value }) => value === reason)?.text
  return [
    ...figures,
    { title: 'Решение', cell: (line) => <Outcome line={line} reason={reasonOf(line)} /> },
  ]
}

const figures: readonly Column<CountLine>[] = [
  {
    title: 'Товар',
    cell: ({ name, barcode }) => (
      <>
        <span class="name">{name}</span> <code class="small">{barcode}</code>
      </>
    ),
  },
  { title: 'Посчитано', end: true, cell: ({ counted }) => number(counted) },
  { title: 'Числится', end: true, cell: ({ expected }) => expected ?? '—' },
  { title: 'Разница', end: true, cell: ({ difference }) => <Difference of={difference} /> },
]

function Difference({ of = 0 }: { readonly of?: number | undefined }) {
  if (of === 0) return <span class="quiet">0</span>
  return <b class="problem">{of > 0 ? `+${number(of)}` : `−${number(-of)}`}</b>
}

/** Whether a manager has said what becomes of the difference. */
export function isDecided(line: CountLine): line is CountLine & { readonly outcome: CountOutcome } {
  return line.outcome !== undefined && line.outcome !== null
}

interface OutcomeProps {
  readonly line: CountLine
  /** In words. */
  readonly reason: string | undefined
}

function Outcome({ line, reason }: OutcomeProps) {
  if (!isDecided(line)) return <span class="quiet">—</span>
  return (
    <>
      {outcomes[line.outcome]}
      {reason && <div class="small quiet">{reason}</div>}
    </>
  )
}

const decisionColumn: Column<CountLine> = {
  title: 'Решить',
  cell: (line) => <DecideLink line={line} />,
}

/** Whether a manager still has to decide on the line. */
function isOpen(line: CountLine): boolean {
  return line.difference !== 0 && !isDecided(line)
}

function DecideLink({ line }: { readonly line: CountLine }) {
  const { hrefWith } = useAddress()
  return isOpen(line) && <a href={hrefWith({ line: line.barcode })}>Решить</a>
}

interface DecideProps {
  readonly count: StockCount
  readonly line: CountLine
  readonly done: () => void
}

function Decide({ count: { id }, line: { barcode, name }, done }: DecideProps) {
  const { route } = useLocation()
  const { hrefWith } = useAddress()
  const finish = () => {
    done()
    route(hrefWith({ line: undefined }))
  }
  return (
    <div class="stack">
      <Form
        title={name}
        submit="Решить"
        cancel={hrefWith({ line: undefined, decide: undefined })}
        act={async (values) => {
          await staff('POST /counts/{id}/lines/{barcode}/accept', {
            path: { id, barcode },
            body: decisionOf(values),
          })
          finish()
        }}
      >
        <DecisionFields />
      </Form>
      <ActionButton
        label="Посчитать заново"
        act={async () => {
          await staff('POST /counts/{id}/recount', { path: { id }, body: { barcodes: [barcode] } })
          finish()
        }}
      />
    </div>
  )
}
