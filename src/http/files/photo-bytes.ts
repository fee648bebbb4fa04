import { createHash } from 'node:crypto'
import type { BlobStore } from '../../exchange/pictures/blob-store.ts'
import { notFound, ServiceError } from '../../platform/kernel/errors.ts'
import type { PictureBytes } from '../../warehouse/catalogue/picture-bytes.ts'
import { storeKey } from '../../warehouse/photos/stored-bytes.ts'

/** Where the bytes of photos lie that are not in the database; undefined where no store is named. */
export type PhotoStore = BlobStore | undefined

export interface KeptPhoto {
  readonly hash: string
  readonly bytes: Buffer | null
}

/** The bytes of a photo. Undefined where the store has lost or changed them. Throws unavailable where it does not answer. */
export async function photoBytes(
  store: PhotoStore,
  clientId: string,
  { hash, bytes }: KeptPhoto,
): Promise<Buffer | undefined> {
  if (bytes !== null) return bytes
  const stored = await storedBytes(store, storeKey(clientId, hash))
  if (stored === undefined) return undefined
  return createHash('sha256').update(stored).digest('hex') === hash ? stored : undefined
}

async function storedBytes(store: PhotoStore, key: string): Promise<Buffer | undefined> {
  try {
    if (store === undefined) throw new Error('BLOB_URL is not set, and photos lie there')
    return await store.get(key)
  } catch (cause) {
    throw new ServiceError('unavailable', 'Хранилище фото не отвечает: повторите позже', {
      retryAfterSeconds,
      cause,
    })
  }
}

const retryAfterSeconds = 30

/** The photo for an answer. Throws not_found and unavailable. */
export async function jpegOf(
  store: PhotoStore,
  clientId: string,
  photo: KeptPhoto,
): Promise<PictureBytes> {
  const bytes = await photoBytes(store, clientId, photo)
  if (bytes === undefined) throw notFound('Этого снимка в хранилище фото больше нет')
  return { type: 'image/jpeg', bytes }
}
