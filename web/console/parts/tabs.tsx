import { useAddress } from './address.ts'

interface TabsProps {
  readonly name: string
  readonly tabs: Readonly<Record<string, string>>
  readonly current: string
}

/** Parts of an object's page; the address says which is open. */
export function Tabs({ name, tabs, current }: TabsProps) {
  const { path } = useAddress()
  return (
    <nav class="tabs" aria-label={name}>
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
