import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { wrongField } from '../../api/caller.ts'
import type { GoodsFileCheck } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { FormValues, TextField, useProblem } from '../../ui/forms/form.tsx'
import { GoodsTemplate } from '../../ui/forms/goods-template.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { bodyWithFile, fileIn, TableFile } from '../../ui/lists/table-file.tsx'
import { showToast } from '../../ui/toast.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { pathOf } from '../paths.ts'
import { GoodsOwner } from './goods-owner.tsx'
import { clientOf } from './new-receipt.tsx'

interface FileReceiptProps {
  /** Shows what was read; undefined where nothing was. */
  readonly onChecked: (check: GoodsFileCheck | undefined) => void
}

/** Registers a receipt from the seller's own table. It is read before: what is wrong stands in its cells, and nothing is made. */
export function FileReceipt({ onChecked }: FileReceiptProps) {
  const { route } = useLocation()
  const input = useRef<HTMLInputElement>(null)
  const refused = useRef<File>(undefined)
  return (
    <OpenedForm
      title="Приёмка из файла"
      submit="Загрузить"
      busy="Загружаем…"
      act={async (values) => {
        refused.current = fileIn(input)
        const upload = uploadOf(values, input)
        onChecked(undefined)
        const check = await staff('POST /clients/{id}/receipts/import/check', upload)
        onChecked(check)
        if (check.problems.length > 0) throw wrongField('file', wrongCells)
        const receipt = await staff('POST /clients/{id}/receipts/import', upload)
        showToast(`${receipt.number} заведена из файла`)
        route(pathOf('receipt', receipt.id))
      }}
    >
      <GoodsOwner />
      <FileField input={input} refused={refused} onChecked={onChecked} />
      <TextField name="external_ref" label="Номер документа продавца" />
      <TextField name="planned_date" label="Когда привезут" type="date" />
    </OpenedForm>
  )
}

const wrongCells = 'в таблице есть ошибки, они отмечены в её ячейках'

function uploadOf(values: FormValues, input: RefObject<HTMLInputElement | null>) {
  const id = clientOf(values)
  const body = bodyWithFile(input)
  const query = {
    cabinet_id: values.optional('cabinet_id'),
    external_ref: values.optional('external_ref'),
    planned_date: values.optional('planned_date'),
  }
  return { path: { id }, query, body }
}

interface FileFieldProps extends FileReceiptProps {
  readonly input: RefObject<HTMLInputElement | null>
  /** The file that was sent last: what is said of it is not true of another one. */
  readonly refused: RefObject<File | undefined>
}

/** The table is read as soon as it is chosen, if its client is known by then. */
function FileField({ input, refused, onChecked }: FileFieldProps) {
  const looking = useAction(async (form: HTMLFormElement) => {
    const values = new FormValues(form)
    onChecked(undefined)
    if (values.optional('client_id') === undefined || fileIn(input) === undefined) return
    onChecked(await staff('POST /clients/{id}/receipts/import/check', uploadOf(values, input)))
  })
  const refusal = useProblem('file')
  const problem = fileIn(input) === refused.current ? refusal : looking.error?.message
  return (
    <TableFile
      input={input}
      problem={problem}
      columns="В таблице нужны столбцы «Штрихкод» (или barcode) и «Количество» (qty), новым товарам — «Название» (name)"
      onChosen={(form) => looking.run(form)}
    >
      <GoodsTemplate path="/staff/v1/receipts/import/template" />
    </TableFile>
  )
}
