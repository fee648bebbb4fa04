import { useLayoutEffect, useRef } from 'preact/hooks'
import { queryOf } from '../api/caller.ts'
import { useAddress } from './address.ts'

interface TabsProps {
  readonly name: string
  readonly tabs: Readonly<Record<string, string>>
  readonly current: string
  /** What of the address they share: a filter. */
  readonly shared?: readonly string[]
}

/** Parts of an object's page; the address says which is open. */
export function Tabs({ name, tabs, current, shared = [] }: TabsProps) {
  const { path, query } = useAddress()
  const row = useRef<HTMLElement>(null)
  // A phone shows some of the tabs: the open one is among them.
  useLayoutEffect(() => {
    const open = row.current?.querySelector('[aria-current]')
    open?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  const kept = Object.fromEntries(shared.map((each) => [each, query[each]]))
  return (
    <nav class="tabs" aria-label={name} ref={row}>
      {Object.entries(tabs).map(([tab, title]) => (
        <a
          key={tab}
          href={`${path}${queryOf({ tab, ...kept })}`}
          aria-current={tab === current ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}
