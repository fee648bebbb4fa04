import type { ComponentChildren } from 'preact'

/** What is known about an object: each fact by its name. A fact that is empty is left out. */
export function Facts({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(of)
        .filter(
          ([, value]) => value !== undefined && value !== null && value !== '' && value !== false,
        )
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
