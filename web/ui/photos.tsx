import type { ComponentChildren } from 'preact'
import { moment } from '../words/format.ts'
import { Picture } from './picture.tsx'

interface Photo {
  readonly id: string
  readonly photo: string
  readonly taken_at: string
}

interface PhotosProps<Each extends Photo> {
  readonly photos: readonly Each[] | undefined
  /** What stands below each one. */
  readonly below?: (photo: Each) => ComponentChildren
}

/** What workers have photographed of an object; a press shows it large. Nothing where there is none. */
export function Photos<Each extends Photo>({ photos = [], below }: PhotosProps<Each>) {
  if (photos.length === 0) return null
  return (
    <section class="stack" aria-label="Фото">
      <h2>Фото</h2>
      <ul class="photos">
        {photos.map((each) => (
          <li key={each.id}>
            <Picture src={each.photo} name={`фото, ${moment(each.taken_at)}`} />
            <span class="small quiet">{moment(each.taken_at)}</span>
            {below?.(each)}
          </li>
        ))}
      </ul>
    </section>
  )
}
