/** What a scan came to. Each has a sound, a vibration and a colour of its own, so that nobody need look. */
export type Outcome = 'good' | 'full' | 'surplus' | 'alarm'

interface Tone {
  readonly hertz: number
  readonly ms: number
  readonly wave: OscillatorType
}

const tones: Readonly<Record<Outcome, readonly Tone[]>> = {
  good: [{ hertz: 1046, ms: 70, wave: 'sine' }],
  full: [
    { hertz: 784, ms: 90, wave: 'sine' },
    { hertz: 1318, ms: 140, wave: 'sine' },
  ],
  surplus: [
    { hertz: 523, ms: 120, wave: 'triangle' },
    { hertz: 523, ms: 120, wave: 'triangle' },
  ],
  alarm: [
    { hertz: 196, ms: 260, wave: 'square' },
    { hertz: 147, ms: 420, wave: 'square' },
  ],
}

const vibrations: Readonly<Record<Outcome, number | number[]>> = {
  good: 40,
  full: [40, 60, 120],
  surplus: [120, 80, 120],
  alarm: [300, 100, 300, 100, 300],
}

const pauseMs = 40
const volume = 0.35
let audio: AudioContext | undefined

/** Sounds and vibrates; a browser that nobody has touched yet stays silent. */
export function signal(outcome: Outcome): void {
  if (!navigator.userActivation?.hasBeenActive) return
  navigator.vibrate?.(vibrations[outcome])
  audio ??= new AudioContext()
  void audio.resume()
  let at = audio.currentTime
  for (const tone of tones[outcome]) {
    play(audio, tone, at)
    at += (tone.ms + pauseMs) / 1000
  }
}

function play(context: AudioContext, { hertz, ms, wave }: Tone, at: number): void {
  const oscillator = context.createOscillator()
  const gain = context.createGain()
  oscillator.type = wave
  oscillator.frequency.value = hertz
  gain.gain.value = volume
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(at)
  oscillator.stop(at + ms / 1000)
}
