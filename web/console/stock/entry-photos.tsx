import type { StaffPhoto } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Failure } from '../../ui/failure.tsx'
import { Photos } from '../../ui/photos.tsx'
import { AddPhoto } from '../parts/add-photo.tsx'
import { PhotoRemoval } from '../parts/object-photos.tsx'
import { type StockEntry, sendEntryPhoto } from '../parts/photo-of-file.ts'

/** Photos of a correction, a write-off or a question about units. */
export function EntryPhotos({ client: id, entry }: StockEntry) {
  const { hrefWith } = useAddress()
  const { data, error, reload } = useAnswer(`photos of entry ${id} ${entry}`, (signal) =>
    staff('GET /clients/{id}/stock-entries/{entry}/photos', { path: { id, entry }, signal }),
  )
  const removal = ({ id: photo }: StaffPhoto) => (
    <PhotoRemoval
      act={async () => {
        const path = { id, entry, photo }
        await staff('DELETE /clients/{id}/stock-entries/{entry}/photos/{photo}', { path })
        reload()
      }}
    />
  )
  return (
    <div class="stack">
      <Failure error={error} retry={reload} />
      <Photos photos={data?.items} below={removal} />
      {data?.items.length === 0 && <p>Фото у записи нет.</p>}
      <AddPhoto
        send={async (photo) => {
          await sendEntryPhoto({ client: id, entry }, photo)
          reload()
        }}
      />
      <a class="button" href={hrefWith({ entry: undefined, entry_of: undefined })}>
        Закрыть
      </a>
    </div>
  )
}
