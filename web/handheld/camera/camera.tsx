import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useModule } from '../../ui/use-module.ts'
import { hear } from '../scan/wedge.ts'
import { codeIn, loadDecoder } from './decode.ts'
import { setCamera } from './open.ts'
import { Sightings } from './sightings.ts'

/** What the camera sees, and each code in it as a scan. */
export function Camera() {
  const video = useRef<HTMLVideoElement>(null)
  const { track, problem } = useStream(video)
  const isReading = useCodes(video, track)
  return (
    <section class="camera" aria-label="Камера">
      {problem === undefined ? (
        <video ref={video} muted playsInline aria-label="Наведите на код" />
      ) : (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {track !== undefined && !isReading && (
        <p role="status">Загружаем распознавание кодов: нужна связь</p>
      )}
      <div class="camera-buttons">
        {track !== undefined && <Torch track={track} />}
        <button type="button" onClick={() => setCamera(false)}>
          Выключить камеру
        </button>
      </div>
    </section>
  )
}

interface Stream {
  readonly track?: MediaStreamTrack
  /** Why there is no picture, and what to do. */
  readonly problem?: string
}

function useStream(video: RefObject<HTMLVideoElement | null>): Stream {
  const [stream, setStream] = useState<Stream>({})
  useEffect(() => {
    let isLeft = false
    let opened: MediaStream | undefined
    const open = async () => {
      opened = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
      })
      if (isLeft) return stop(opened)
      if (video.current === null) return
      video.current.srcObject = opened
      await video.current.play()
      const [track] = opened.getVideoTracks()
      if (track === undefined) return
      track.onended = () => setStream({ problem: problems.NotReadableError ?? '' })
      setStream({ track })
    }
    open().catch((error: unknown) => {
      if (!isLeft) setStream({ problem: problemOf(error) })
    })
    return () => {
      isLeft = true
      if (opened !== undefined) stop(opened)
    }
  }, [])
  return stream
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

const problems: Readonly<Record<string, string>> = {
  NotAllowedError: 'Браузер не даёт камеру: разрешите её этой странице в настройках сайта',
  NotFoundError: 'Камеры не нашлось: сканируйте сканером или введите код',
  NotReadableError: 'Камера занята или отключилась: закройте другие программы и включите ещё раз',
}

function problemOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  return problems[name] ?? 'Камера не включилась: выключите и включите ещё раз'
}

const pauseMs = 80
const widthMax = 1_280

/**
 * Reads frame after frame, with pauses in which the page answers the worker. Answers whether it reads already: the
 * decoder may still be on its way.
 */
function useCodes(
  video: RefObject<HTMLVideoElement | null>,
  track: MediaStreamTrack | undefined,
): boolean {
  const decoder = useModule(loadDecoder)
  const isReading = decoder !== undefined
  useEffect(() => {
    if (track === undefined || !isReading) return
    const sightings = new Sightings()
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    let timer: ReturnType<typeof setTimeout> | undefined
    let isLeft = false
    const look = async () => {
      const frame = video.current && context && frameOf(video.current, context)
      if (frame) {
        const code = sightings.see(await codeIn(frame), performance.now())
        if (code !== undefined && !isLeft) hear(code)
      }
    }
    const again = () => {
      if (!isLeft) timer = setTimeout(() => void look().then(again, again), pauseMs)
    }
    again()
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [track, isReading])
  return isReading
}

function frameOf(
  video: HTMLVideoElement,
  context: OffscreenCanvasRenderingContext2D,
): ImageData | undefined {
  const { videoWidth, videoHeight } = video
  if (videoWidth === 0 || document.visibilityState === 'hidden') return undefined
  const scale = Math.min(1, widthMax / videoWidth)
  const [width, height] = [Math.round(videoWidth * scale), Math.round(videoHeight * scale)]
  Object.assign(context.canvas, { width, height })
  context.drawImage(video, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}

/** Not in the browser's types: only some devices have a light. */
interface Light {
  readonly torch?: boolean
}

function Torch({ track }: { readonly track: MediaStreamTrack }) {
  const [isOn, setOn] = useState(false)
  const { torch } = (track.getCapabilities?.() ?? {}) as Light
  if (torch !== true) return null
  const shine = async () => {
    const wanted: Light = { torch: !isOn }
    await track.applyConstraints({ advanced: [wanted as MediaTrackConstraintSet] })
    setOn(!isOn)
  }
  return (
    <button type="button" aria-pressed={isOn} onClick={() => void shine().catch(() => undefined)}>
      {isOn ? 'Погасить свет' : 'Включить свет'}
    </button>
  )
}
