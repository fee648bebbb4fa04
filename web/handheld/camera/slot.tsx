import { useModule } from '../../ui/use-module.ts'
import { useCameraOpen } from './open.ts'

/** Above every page while the camera is on. */
export function CameraSlot() {
  return useCameraOpen() ? <Loaded /> : null
}

function Loaded() {
  const loaded = useModule(() => import('./camera.tsx'))
  return loaded === undefined ? <p class="camera-wait">Включаем камеру…</p> : <loaded.Camera />
}
