import type { StaffPhoto } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Photos } from '../../ui/photos.tsx'
import { isAtLeast } from '../rooms.ts'

interface ObjectPhotosProps {
  readonly of: 'receipts' | 'returns' | 'orders' | 'counts' | 'exceptions'
  readonly id: string
}

/** Photos that workers have made of an object; managers remove what should not be there. */
export function ObjectPhotos({ of, id }: ObjectPhotosProps) {
  const manages = isAtLeast(useSession().user, 'manager')
  const { data, reload } = useAnswer(
    `photos ${of} ${id}`,
    (signal) => staff(`GET /${of}/{id}/photos`, { path: { id }, signal }),
    { refreshMs: 20_000 },
  )
  const removal = ({ id: photo }: StaffPhoto) => (
    <PhotoRemoval
      act={async () => {
        await staff(`DELETE /${of}/{id}/photos/{photo}`, { path: { id, photo } })
        reload()
      }}
    />
  )
  return <Photos photos={data?.items} {...(manages ? { below: removal } : {})} />
}

export function PhotoRemoval({ act }: { readonly act: () => Promise<void> }) {
  return (
    <ConfirmButton
      label="Убрать"
      question="Убрать фото?"
      consequence="Фото удалится насовсем. Кто его убрал, останется в журнале."
      danger
      act={act}
    />
  )
}
