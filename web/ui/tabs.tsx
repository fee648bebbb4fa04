import { useLayoutEffect, useRef } from 'preact/hooks'
import { useAddress } from './address.ts'

interface TabsProps {
  readonly name: string
  readonly tabs: Readonly<Record<string, string>>
  readonly current: string
}

/** Parts of an object's page; the address says which is open. */
export function Tabs({ name, tabs, current }: TabsProps) {
  const { path } = useAddress()
  const row = useRef<HTMLElement>(null)
  // A phone shows some of the tabs: the open one is among them.
  useLayoutEffect(() => {
    const open = row.current?.querySelector('[aria-current]')
    open?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <nav class="tabs" aria-label={name} ref={row}>
      {Object.entries(tabs).map(([tab, title]) => (
        <a
          key={tab}
          href={`${path}?tab=${tab}`}
          aria-current={tab === current ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}
