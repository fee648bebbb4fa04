export type Keys = readonly (readonly [key: string, does: string])[]

interface HelpTextProps {
  /** Of the page that is open; undefined where it needs no paragraph. */
  readonly page: { readonly title: string; readonly paragraph: string } | undefined
  readonly keys: Keys
}

/** What the page is for, and the keys of all pages. */
export function HelpText({ page, keys }: HelpTextProps) {
  return (
    <div class="stack">
      <h2 id="help-title">Справка</h2>
      {page !== undefined && (
        <section class="stack">
          <h3>{page.title}</h3>
          <p>{page.paragraph}</p>
        </section>
      )}
      <section class="stack">
        <h3>Клавиши</h3>
        <dl class="keys">
          {keys.map(([key, does]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  )
}
