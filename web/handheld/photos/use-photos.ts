import { useEffect, useState } from 'preact/hooks'
import type { KeptPhoto } from './disk.ts'
import { onPhotosChange, photosOnDevice } from './queue.ts'

export function usePhotos(): readonly KeptPhoto[] {
  const [shown, setShown] = useState(photosOnDevice())
  useEffect(() => {
    setShown(photosOnDevice())
    return onPhotosChange(() => setShown(photosOnDevice()))
  }, [])
  return shown
}
