import { wrongField } from '../../api/caller.ts'
import { photoId } from '../../api/photo-id.ts'
import { staff } from '../../staff/api.ts'
import { shrink } from '../../ui/shrink.ts'

/**
 * A chosen file as a photo, without what the camera wrote beside the picture.
 *
 * @throws words for the person where the file is no picture
 */
export async function photoOfFile(file: Blob): Promise<Blob> {
  const bytes = await shrink(file)
  if (bytes === undefined) throw wrongField('photo', 'это не снимок, выберите фотографию')
  return new Blob([bytes], { type: 'image/jpeg' })
}

/** An entry of the stock ledger, as its caller numbered it. */
export interface StockEntry {
  readonly client: string
  readonly entry: string
}

export function sendEntryPhoto({ client: id, entry }: StockEntry, body: Blob): Promise<unknown> {
  return staff('PUT /clients/{id}/stock-entries/{entry}/photos/{photo}', {
    path: { id, entry, photo: photoId() },
    body,
  })
}
