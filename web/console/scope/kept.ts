/** Of which warehouse and client somebody looks at everything, as addresses name them. */
export const scopeNames = ['warehouse_code', 'client_id'] as const

export type ScopeName = (typeof scopeNames)[number]

export type Scope = Readonly<Partial<Record<ScopeName, string>>>

function placeOf(login: string): string {
  return `scope of ${login}`
}

/** What a person has chosen in this browser. */
export function keptScope(login: string): Scope {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(login)) ?? '{}')
    return readScope(kept as Readonly<Record<string, unknown>>)
  } catch {
    return {}
  }
}

export function keepScope(login: string, scope: Scope): void {
  localStorage.setItem(placeOf(login), JSON.stringify(scope))
}

/** The scope that an address or a kept text names; empty texts name none. */
export function readScope(values: Readonly<Record<string, unknown>>): Scope {
  const named = scopeNames.flatMap((name) => {
    const value = values[name]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  return Object.fromEntries(named)
}

interface Place {
  readonly path: string
  readonly scope: Scope
}

/**
 * What is kept after somebody came from one address to another. On the same list a part that was cleared there is kept no
 * longer, and another one takes its place; an address that leads to another list changes nothing.
 */
export function keptAfter(kept: Scope, from: Place | undefined, to: Place): Scope {
  if (from?.path !== to.path) return kept
  const names = scopeNames.filter((name) => kept[name] !== undefined)
  const changed = names.map((name) => [
    name,
    [undefined, to.scope[name]].includes(from.scope[name]) ? kept[name] : to.scope[name],
  ])
  return readScope(Object.fromEntries(changed))
}
