import { useId } from 'preact/hooks'
import type { Product } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { Picture } from '../../ui/picture.tsx'

interface ProductPictureProps {
  readonly product: Product
  readonly onChanged: () => void
}

/** The picture of a product: that of a marketplace's card, until somebody uploads another one. */
export function ProductPicture({ product, onChanged }: ProductPictureProps) {
  const id = useId()
  const path = { id: product.client_id, barcode: product.barcode }
  const upload = useAction(async (body: File) => {
    await staff('PUT /clients/{id}/products/{barcode}/picture', { path, body })
    onChanged()
  })
  return (
    <section class="stack" aria-label="Картинка товара">
      <div class="pictured">
        <Picture src={product.picture} name={product.name} />
        <p class="small quiet">{originOf(product)}</p>
      </div>
      <div class="field">
        <label for={id}>
          {product.picture === undefined ? 'Загрузить картинку' : 'Заменить картинку'}
        </label>
        <input
          id={id}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          disabled={upload.busy}
          onChange={({ currentTarget: input }) => {
            const [file] = input.files ?? []
            if (file !== undefined) void upload.run(file).then(() => (input.value = ''))
          }}
        />
        <span class="small quiet">JPEG, PNG или WebP до 2 МБ</span>
      </div>
      <Failure error={upload.error} />
      {product.picture_uploaded && (
        <div class="row">
          <ActionButton
            label="Убрать загруженную"
            act={async () => {
              await staff('DELETE /clients/{id}/products/{barcode}/picture', { path })
              onChanged()
            }}
          />
        </div>
      )}
    </section>
  )
}

function originOf({ picture, picture_uploaded: isUploaded }: Product): string {
  if (isUploaded) return 'Картинку загрузил склад.'
  return picture === undefined
    ? 'Картинки нет: на карточке маркетплейса её не нашли.'
    : 'Картинка с карточки маркетплейса.'
}
