import { useEffect, useState } from 'preact/hooks'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { Choice } from '../scan/choice.tsx'

/** The sticker of a packed order on the screen. */
export function Sticker({ orderId }: { readonly orderId: string }) {
  const [blob, setBlob] = useState<Blob>()
  const asking = useAction(async () => {
    setBlob(await staff('GET /orders/{id}/sticker', { path: { id: orderId } }))
  })
  return (
    <>
      <Failure error={asking.error} />
      <button type="button" disabled={asking.busy} onClick={() => asking.run()}>
        Показать этикетку
      </button>
      {blob !== undefined && (
        <Choice title="Этикетка заказа" closeLabel="Закрыть" onClose={() => setBlob(undefined)}>
          <Picture blob={blob} />
        </Choice>
      )}
    </>
  )
}

function Picture({ blob }: { readonly blob: Blob }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  if (url === undefined) return null
  return blob.type.startsWith('image/') ? (
    <img class="sticker" src={url} alt="Этикетка заказа" />
  ) : (
    <a class="button wide" href={url} target="_blank" rel="noreferrer">
      Открыть этикетку
    </a>
  )
}
