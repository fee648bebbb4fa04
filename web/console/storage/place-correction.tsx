import { useRef } from 'preact/hooks'
import { newId } from '../../api/new-id.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Choice } from '../../ui/forms/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { number } from '../../words/format.ts'
import { OpenedForm } from '../parts/opened-form.tsx'
import { sendEntryPhoto } from '../parts/photo-of-file.ts'
import { CommentField, DeltaField, ReasonChoice } from '../stock/correction-fields.tsx'
import { PhotoField, type PhotoToSend } from '../stock/photo-field.tsx'

interface GoodsHere {
  readonly client_id: string
  readonly barcode: string
  readonly name: string
  readonly qty: number
}

interface PlaceCorrectionProps {
  /** A location, outside of boxes, or a box. */
  readonly place: { readonly location_id: string } | { readonly box_id: string }
  readonly goods: readonly GoodsHere[]
  readonly done: () => void
}

/** Says that there are more or fewer units at this place than the service thinks; no other place changes. */
export function PlaceCorrection({ place, goods, done }: PlaceCorrectionProps) {
  const { query, hrefWith } = useAddress()
  const entry = useRef(newId())
  const photo: PhotoToSend = useRef(undefined)
  const [first] = goods
  if (first === undefined) {
    return (
      <div class="stack">
        <p class="quiet">Здесь ничего не лежит: исправлять нечего.</p>
        <a class="button" href={hrefWith({ form: undefined, of: undefined })} data-gives-up>
          Закрыть
        </a>
      </div>
    )
  }
  return (
    <OpenedForm
      title="Исправить остаток здесь"
      submit="Исправить"
      by={['form', 'of']}
      act={async (values, close) => {
        const { client_id: id, barcode } = goods[Number(values.text('goods'))] ?? first
        const body = await photo.current
        const item = await staff('POST /clients/{id}/corrections', {
          path: { id },
          body: {
            ...place,
            barcode,
            delta: Number(values.text('delta')),
            reason: values.text('reason'),
            comment: values.optional('comment'),
            entry_id: entry.current,
          },
        })
        if (body !== undefined) await sendEntryPhoto({ client: id, entry: entry.current }, body)
        showToast(`${item.name}: остаток ${number(item.quantity)}`)
        done()
        close()
      }}
    >
      <Choice
        name="goods"
        label="Товар"
        value={String(
          Math.max(
            goods.findIndex(({ barcode }) => barcode === query.of),
            0,
          ),
        )}
        options={goods.map(({ name, qty }, n) => ({
          value: String(n),
          text: `${name}: ${number(qty)} шт.`,
        }))}
      />
      <DeltaField />
      <ReasonChoice value="COUNT" />
      <CommentField />
      <PhotoField photo={photo} />
    </OpenedForm>
  )
}

/** Leads to the form for goods that lie here. */
export function CorrectLink({
  of: { barcode, name },
}: {
  readonly of: Omit<GoodsHere, 'client_id'>
}) {
  const { hrefWith } = useAddress()
  return (
    <a href={hrefWith({ form: 'correct', of: barcode })} aria-label={`Исправить ${name}`}>
      Исправить
    </a>
  )
}
