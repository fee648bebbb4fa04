import { useAnswer } from '../../api/use-answer.ts'
import { listRefreshMs } from '../../ui/lists/list.tsx'
import { Photos } from '../../ui/photos.tsx'
import { account } from '../api.ts'

interface ObjectPhotosProps {
  readonly of: 'receipts' | 'returns' | 'orders'
  readonly id: string
}

/** Photos that the warehouse has made of an object. */
export function ObjectPhotos({ of, id }: ObjectPhotosProps) {
  const { data } = useAnswer(
    `photos ${of} ${id}`,
    (signal) => account(`GET /${of}/{id}/photos`, { path: { id }, signal }),
    { refreshMs: listRefreshMs },
  )
  return <Photos photos={data?.items} />
}
