import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import type { PhotoKind, PhotoSubject } from './kinds.ts'

/** Photos at the end of a paper. The whole paper is in memory, so it has only some of them; the others are counted. */

export interface PhotoOnPaper {
  readonly of: PhotoKind
  readonly taken_at: Timestamp
  readonly hash: string
  /** Null: they lie in the store. */
  readonly bytes: Buffer | null
}

export interface PhotosOnPaper {
  readonly photos: readonly PhotoOnPaper[]
  readonly leftOut: number
}

const filePhotosMax = 20
const fileBytesMax = 16 * 1024 * 1024

/** Those of the photos p, the oldest first. */
export async function photosOnPaper(db: Queryable, which: Fragment): Promise<PhotosOnPaper> {
  const rows = await db<(PhotoOnPaper & { fits: boolean })[]>`
    select of, taken_at, hash, fits, case when fits then bytes end as bytes
    from (
      select p.kind as of, p.taken_at, encode(p.hash, 'hex') as hash, p.bytes, p.id,
        row_number() over earlier <= ${filePhotosMax} and sum(p.size) over earlier <= ${fileBytesMax} as fits
      from photos p where ${which}
      window earlier as (order by p.taken_at, p.id)
    ) p
    order by taken_at, id`
  const photos = rows.filter(({ fits }) => fits)
  return { photos, leftOut: rows.length - photos.length }
}

/** Those of one object. */
export function photosOfAct(
  db: Queryable,
  { clientId, kind, objectId }: PhotoSubject,
): Promise<PhotosOnPaper> {
  return photosOnPaper(
    db,
    db`p.client_id = ${clientId} and p.kind = ${kind} and p.object_id = ${objectId}`,
  )
}
