import { useEffect, useState } from 'preact/hooks'
import { hourOf } from '../words/format.ts'

const everyMs = 1_000

/** Moscow's time, to be read from two metres. */
export function Clock() {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <time class="clock" dateTime={now.toISOString()}>
      {hourOf(now.toISOString())}
    </time>
  )
}
