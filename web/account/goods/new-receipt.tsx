import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { GoodsToBring, Receipt, ReceiptDraft } from '../../api/account-calls.ts'
import { type CallError, queryOf } from '../../api/caller.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Field, FieldText } from '../../ui/forms/field.tsx'
import { GoodsTemplate } from '../../ui/forms/goods-template.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { Table } from '../../ui/lists/table.tsx'
import { number } from '../../words/format.ts'
import { account } from '../api.ts'
import { fieldsOf, fileProblemsOf, problemsOf } from '../parts/form.ts'
import { FormFailure } from '../parts/form-failure.tsx'
import { GuardedForm } from '../parts/guarded-form.tsx'
import { Loaded, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'
import { GoodsPicker } from './goods-picker.tsx'

interface Line {
  readonly key: number
  readonly barcode: string
  readonly name: string
  readonly article?: string | undefined
  readonly qty: string
  /** What was found of the goods. */
  readonly hint?: string | undefined
}

/** What a request begins with. */
interface Begun {
  readonly items: Items
  readonly isMarked: boolean
}

const empty: Begun = { items: [], isMarked: false }

/** `?from=` begins with what another receipt lacked, `?goods=&qty=` with units of a product. */
async function begunBy(query: Readonly<Record<string, string>>, signal: AbortSignal) {
  const { from, goods: barcode, qty = '' } = query
  if (from !== undefined) {
    return begunWith(
      await account('GET /receipts/{id}', { path: { id: from }, signal }),
      lackingItems,
    )
  }
  if (barcode === undefined) return empty
  const { items } = await account('GET /goods', { query: { search: barcode }, signal })
  const goods = items.find((each) => each.barcode === barcode)
  if (goods === undefined) return empty
  const { name, article } = goods
  const units = /^[1-9]\d{0,8}$/.test(qty) ? qty : ''
  const line = { barcode, name, article: article ?? undefined, qty: units, hint: hintOf(goods) }
  return { items: [line], isMarked: goods.honest_mark }
}

function begunWith(receipt: Receipt, itemsOf: (receipt: Receipt) => Items): Begun {
  const isMarked = receipt.items?.some(({ honest_mark }) => honest_mark === true) ?? false
  return { items: itemsOf(receipt), isMarked }
}

/** A receipt request, by hand or from a file. */
export function NewReceipt() {
  const { query } = useLocation()
  const { session, may } = useSession()
  const above = { href: paths.receipts, title: 'Приёмки' }
  const { from, goods, qty } = query
  const answer = useAnswer(`begun by ${JSON.stringify([from, goods, qty])}`, (signal) =>
    begunBy(query, signal),
  )
  if (!session.receipts_enabled) {
    return (
      <Page title="Новая поставка" above={above}>
        <p class="notice warn">
          Заявки в личном кабинете для вас не включены:{' '}
          {may('receipts')
            ? 'обратитесь к менеджеру склада.'
            : 'попросите владельца личного кабинета дать вам роль с заявками на приёмку.'}
        </p>
      </Page>
    )
  }
  return (
    <Page title="Новая поставка" above={above}>
      <Loaded answer={answer}>{(begun) => <Ways begun={begun} />}</Loaded>
    </Page>
  )
}

/** A new version of a request that no manager has confirmed. */
export function ChangedReceipt({ id }: { readonly id: string }) {
  const above = { href: paths.receipt(id), title: 'Приёмка' }
  const answer = useAnswer(`change ${id}`, async (signal) => {
    const [receipt, { cabinet_id: cabinetId, changeable }] = await Promise.all([
      account('GET /receipts/{id}', { path: { id }, signal }),
      account('GET /receipts/{id}/announcement', { path: { id }, signal }),
    ])
    return { receipt, cabinetId, changeable }
  })
  return (
    <Page title="Изменить заявку" above={above}>
      <Loaded answer={answer}>
        {({ changeable, ...changed }) =>
          changeable ? (
            <Ways begun={begunWith(changed.receipt, announcedItems)} changed={changed} />
          ) : (
            <p class="notice warn">
              Эту заявку уже нельзя изменить: договоритесь с менеджером склада.
            </p>
          )
        }
      </Loaded>
    </Page>
  )
}

interface Changed {
  readonly receipt: Receipt
  readonly cabinetId: string | null
}

interface WaysProps {
  readonly begun: Begun
  /** What gets a new version. */
  readonly changed?: Changed
}

function Ways({ begun, changed }: WaysProps) {
  const { route } = useLocation()
  const [way, setWay] = useState<'hand' | 'file'>('hand')
  const [lines, setLines] = useState(() => linesOf(begun.items))
  const byHand = useAction(async (form: HTMLFormElement) => {
    const body = draftOf(form, lines)
    const receipt = await (changed === undefined
      ? account('POST /receipts', { body })
      : account('PUT /receipts/{id}', { path: { id: changed.receipt.id }, body }))
    route(paths.receipt(receipt.id))
  })
  const fromFile = useAction(async (form: HTMLFormElement) => {
    const read = { sheet: '' }
    const onHeaders = (headers: Headers) => {
      read.sheet = decodeURIComponent(headers.get('x-sheet-read') ?? '')
    }
    const receipt = await account('POST /receipts/import', { ...uploadOf(form), onHeaders })
    route(paths.receipt(receipt.id) + queryOf(read))
  })
  const sending = way === 'hand' ? byHand : fromFile
  const problems = problemsOf(sending.error)
  return (
    <GuardedForm class="stack" noValidate={way === 'hand'} action={sending}>
      <fieldset class="row" hidden={changed !== undefined}>
        <legend class="visually-hidden">Как заявить</legend>
        <button type="button" aria-pressed={way === 'hand'} onClick={() => setWay('hand')}>
          Вручную
        </button>
        <button type="button" aria-pressed={way === 'file'} onClick={() => setWay('file')}>
          Из файла XLSX или CSV
        </button>
      </fieldset>
      <About problems={problems} isMarked={begun.isMarked} changed={changed} />
      {way === 'hand' && <Lines lines={lines} setLines={setLines} problems={problems} />}
      <GoodsFile isAsked={way === 'file'} error={fromFile.error} />
      {(way === 'hand' || fileProblemsOf(sending.error).length === 0) && (
        <FormFailure error={sending.error} fields={shownFields} />
      )}
      <div class="row">
        <button type="submit" class="primary" disabled={sending.busy}>
          {sending.busy ? 'Отправляем…' : changed === undefined ? 'Отправить заявку' : 'Сохранить'}
        </button>
        <span class="small quiet">Менеджер подтвердит её, и поставка появится в плане склада.</span>
      </div>
    </GuardedForm>
  )
}

type Items = readonly Omit<Line, 'key'>[]

function lackingItems({ items = [] }: Receipt): Items {
  const short = items.filter((item) => item.accepted_qty < item.expected_qty)
  return short.map(({ barcode, name, expected_qty, accepted_qty }) => ({
    barcode,
    name,
    qty: String(expected_qty - accepted_qty),
  }))
}

function announcedItems({ items = [] }: Receipt): Items {
  return items.map(({ barcode, name, article, expected_qty }) => ({
    barcode,
    name,
    article,
    qty: String(expected_qty),
  }))
}

function linesOf(items: Items): readonly Line[] {
  const lines = items.map((item, key) => ({ ...item, key }))
  return lines.length > 0 ? lines : [{ key: 0, barcode: '', name: '', qty: '' }]
}

const filledOf = (lines: readonly Line[]) =>
  lines.filter(({ barcode, name, qty }) => barcode + name + qty !== '')

/** Lines that nothing was written into are left out. */
function draftOf(form: HTMLFormElement, lines: readonly Line[]): ReceiptDraft {
  const { cabinet_id, external_ref, planned_date, comment, honest_mark } = fieldsOf(form)
  return {
    cabinet_id,
    external_ref,
    planned_date,
    comment,
    items: filledOf(lines).map(({ barcode, name, article, qty }) => ({
      barcode,
      name: name === '' ? undefined : name,
      article,
      qty: Number(qty),
      honest_mark: honest_mark === 'true',
    })),
  }
}

type Problems = Readonly<Record<string, string>>

const shownFields = [
  ...['cabinet_id', 'external_ref', 'planned_date', 'comment', 'items'],
  ...['items[].barcode', 'items[].name', 'items[].qty'],
]

function About({
  problems,
  isMarked = false,
  changed,
}: {
  readonly problems: Problems
  readonly isMarked?: boolean
  readonly changed?: Changed | undefined
}) {
  const { external_ref: reference, comment, planned_date: planned } = changed?.receipt ?? {}
  const { session } = useSession()
  const [cabinet, marked] = [useId(), useId()]
  return (
    <div class="form-grid">
      {session.cabinets.length > 1 && (
        <div class="field">
          <label for={cabinet}>Кабинет</label>
          <select
            id={cabinet}
            name="cabinet_id"
            aria-invalid={problems.cabinet_id !== undefined}
            aria-describedby={problems.cabinet_id && `${cabinet}-text`}
          >
            {session.cabinets.map(({ id, name, marketplace }) => (
              <option key={id} value={id} selected={id === changed?.cabinetId}>
                {marketplace}, {name}
              </option>
            ))}
          </select>
          <FieldText id={cabinet} problem={problems.cabinet_id} />
        </div>
      )}
      <Field
        name="external_ref"
        label="Ваш номер документа"
        hint="Повтор с тем же номером не создаст вторую заявку"
        maxLength={64}
        defaultValue={reference}
        problem={problems.external_ref}
      />
      <Field
        name="planned_date"
        label="Когда привезёте"
        type="date"
        defaultValue={planned?.slice(0, 10)}
        problem={problems.planned_date}
      />
      <div class="field">
        <label for={marked}>Маркировка «Честный знак»</label>
        <select id={marked} name="honest_mark">
          <option value="false">Товары без маркировки</option>
          <option value="true" selected={isMarked}>
            Товары с маркировкой
          </option>
        </select>
      </div>
      <Field
        name="comment"
        label="Комментарий"
        maxLength={500}
        defaultValue={comment}
        problem={problems.comment}
      />
    </div>
  )
}

/** What was typed may be a name: the found goods stand below it. */
const unknown =
  'Склад не знает такого штрихкода: выберите товар из найденных или впишите название нового'

interface LinesProps {
  readonly lines: readonly Line[]
  readonly setLines: (lines: readonly Line[]) => void
  readonly problems: Problems
}

function hintOf({ available, bring }: GoodsToBring): string {
  const stock = `на складе ${number(available)}`
  return bring === 0 ? stock : `${stock}, на 30 дней нужно ещё ${number(bring)}`
}

function Lines({ lines, setLines, problems }: LinesProps) {
  const fieldsets = useRef<HTMLFieldSetElement>(null)
  const [added, setAdded] = useState<number>()
  useEffect(() => {
    fieldsets.current?.querySelector<HTMLInputElement>(`[name=barcode-${added}]`)?.focus()
  }, [added])
  const set = (key: number, patch: Partial<Line>) =>
    setLines(lines.map((line) => (line.key === key ? { ...line, ...patch } : line)))
  const add = () => {
    const key = Math.max(0, ...lines.map((line) => line.key)) + 1
    setLines([...lines, { key, barcode: '', name: '', qty: '' }])
    setAdded(key)
  }
  const pick = (line: Line, goods: GoodsToBring) => {
    const { barcode, name, article, bring } = goods
    const qty = line.qty === '' && bring > 0 ? String(bring) : line.qty
    set(line.key, { barcode, name, article: article ?? undefined, qty, hint: hintOf(goods) })
    fieldsets.current?.querySelector<HTMLInputElement>(`[name=qty-${line.key}]`)?.focus()
  }
  const sentLines = filledOf(lines)
  return (
    <fieldset class="stack lines" ref={fieldsets}>
      <legend>Товары</legend>
      {lines.map((line, at) => {
        // The service counts the lines that were sent.
        const sent = sentLines.indexOf(line)
        const problem = (field: string) =>
          at === 0 && field === 'barcode' && problems.items !== undefined
            ? 'впишите товары: хотя бы один, не больше 500'
            : problems[`items[${sent}].${field}`]
        const bind = (field: 'name' | 'qty') => ({
          name: `${field}-${line.key}`,
          value: line[field],
          problem: problem(field),
          onInput: (event: { readonly currentTarget: HTMLInputElement }) =>
            set(line.key, { [field]: event.currentTarget.value }),
        })
        return (
          <div key={line.key} class="line">
            <GoodsPicker
              name={`barcode-${line.key}`}
              value={line.barcode}
              problem={
                problem('barcode') ?? (problem('name') && line.name === '' ? unknown : undefined)
              }
              hint={line.hint}
              onType={(barcode) => set(line.key, { barcode, article: undefined, hint: undefined })}
              onPick={(goods) => pick(line, goods)}
            />
            <Field label="Название, если товар новый" {...bind('name')} maxLength={500} />
            <Field
              label="Единиц"
              {...bind('qty')}
              inputMode="numeric"
              onKeyDown={(event) => {
                // The next line is a key away; the form is sent by its button.
                if (event.key !== 'Enter') return
                event.preventDefault()
                add()
              }}
            />
            <button
              type="button"
              class="plain"
              aria-label={`Убрать строку ${at + 1}`}
              disabled={lines.length === 1}
              onClick={() => setLines(lines.filter(({ key }) => key !== line.key))}
            >
              Убрать
            </button>
          </div>
        )
      })}
      <div>
        <button type="button" onClick={add}>
          Добавить товар
        </button>
      </div>
    </fieldset>
  )
}

function uploadOf(form: HTMLFormElement) {
  const { cabinet_id, external_ref, planned_date, comment, honest_mark } = fieldsOf(form)
  const body = new FormData()
  const file = new FormData(form).get('file')
  if (file !== null) body.set('file', file)
  const query = {
    cabinet_id,
    external_ref,
    planned_date,
    comment,
    honest_mark: honest_mark as 'true' | 'false' | undefined,
  }
  return { query, body }
}

interface GoodsFileProps {
  /** The chosen file stays while goods are written by hand. */
  readonly isAsked: boolean
  readonly error: CallError | undefined
}

function GoodsFile({ isAsked, error }: GoodsFileProps) {
  const id = useId()
  const rows = fileProblemsOf(error)
  return (
    <div class={isAsked ? 'stack' : undefined} hidden={!isAsked}>
      <div class="field">
        <label for={id}>Файл</label>
        <input
          id={id}
          type="file"
          name="file"
          accept=".xlsx,.csv"
          required={isAsked}
          aria-describedby={`${id}-text`}
        />
        <span id={`${id}-text`} class="small quiet">
          Столбцы: штрихкод, название, артикул, количество, маркировка. До 500 строк.
        </span>
        <GoodsTemplate path="/account/v1/receipts/import/template" />
      </div>
      {rows.length > 0 && (
        <div class="stack" role="alert">
          <p class="notice bad">
            Заявка не отправлена: исправьте эти места файла и выберите его снова.
          </p>
          <Table
            name="Что исправить в файле"
            rows={rows}
            keyOf={({ row, column, rule }) => row + column + rule}
            columns={[
              { title: 'Строка', end: true, cell: ({ row }) => row },
              { title: 'Столбец', cell: ({ column }) => column },
              { title: 'Что не так', cell: ({ rule }) => <span class="long">{rule}</span> },
            ]}
          />
        </div>
      )}
    </div>
  )
}
