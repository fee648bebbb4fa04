import { useEffect, useState } from 'preact/hooks'

/** Whether the camera is on: it stays so from page to page. */
let isOpen = false
const listeners = new Set<(next: boolean) => void>()

/** Browsers give the camera to pages of HTTPS and of this very machine alone. */
export const mayOpenCamera = navigator.mediaDevices !== undefined

export function setCamera(next: boolean): void {
  isOpen = next
  for (const listener of listeners) listener(next)
}

export function useCameraOpen(): boolean {
  const [shown, setShown] = useState(isOpen)
  useEffect(() => {
    setShown(isOpen)
    listeners.add(setShown)
    return () => void listeners.delete(setShown)
  }, [])
  return shown
}
