import { useEffect, useState } from 'preact/hooks'

const pauseMs = 3_000

/** Code that the first page seldom needs; asked for again while there is no network. */
export function useModule<T>(load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<T>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const go = () => {
      load().then(setLoaded, () => {
        timer = setTimeout(go, pauseMs)
      })
    }
    go()
    return () => clearTimeout(timer)
  }, [])
  return loaded
}
