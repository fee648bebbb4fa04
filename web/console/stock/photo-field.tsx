import type { RefObject } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { plainly } from '../../api/caller.ts'
import { asCallError } from '../../api/use-answer.ts'
import { FieldText } from '../../ui/forms/field.tsx'
import { useProblem } from '../../ui/forms/form.tsx'
import { photoOfFile } from '../parts/photo-of-file.ts'

/** The photo that a form will send behind what it saves; undefined where none is chosen. */
export type PhotoToSend = RefObject<Promise<Blob> | undefined>

/** A photo of the damage, from the disk or the camera. It is made small at once, so that a form never waits for that. */
export function PhotoField({ photo }: { readonly photo: PhotoToSend }) {
  const id = useId()
  const refused = useProblem('photo')
  const [shown, setShown] = useState<string>()
  const [wrong, setWrong] = useState<string>()
  useEffect(() => () => shown && URL.revokeObjectURL(shown), [shown])
  const choose = async (file: File | undefined) => {
    setShown(undefined)
    setWrong(undefined)
    const coming = file && photoOfFile(file)
    photo.current = coming
    try {
      const made = await coming
      // Another one may have been chosen meanwhile.
      if (made !== undefined && photo.current === coming) setShown(URL.createObjectURL(made))
    } catch (failure) {
      if (photo.current === coming) setWrong(plainly(asCallError(failure)))
    }
  }
  const problem = wrong ?? (shown === undefined ? refused : undefined)
  return (
    <div class="field">
      <label for={id}>Фото</label>
      <input
        id={id}
        name="photo"
        type="file"
        accept="image/*"
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-text`}
        onChange={({ currentTarget: { files } }) => void choose(files?.[0])}
      />
      <FieldText id={id} hint="Его покажут движения товара" problem={problem} />
      {shown !== undefined && (
        <span class="photos">
          <img class="picture" src={shown} alt="Выбранное фото" />
        </span>
      )}
    </div>
  )
}
