import { CopyButton } from '../../ui/copy-button.tsx'

/** How each language installs the client that the service serves. Here a client is a legal entity, so the page calls it a library. */
const packages = [
  {
    language: 'JavaScript и TypeScript',
    install: (service: string) => `npm i ${service}/sdk/client.tgz`,
  },
  {
    language: 'Python',
    install: (service: string) =>
      [
        'python3 -m venv venv && . venv/bin/activate',
        `pip install ${service}/sdk/sklad-1.1.0-py3-none-any.whl`,
      ].join('\n'),
  },
  {
    language: 'PHP',
    install: (service: string) =>
      [
        "[ -f composer.json ] || echo '{}' > composer.json",
        `composer config repositories.sklad composer ${service}/sdk`,
        ...(service.startsWith('https:') ? [] : ['composer config secure-http false']),
        'composer require sklad/client',
      ].join('\n'),
  },
] as const

export function Packages() {
  return (
    <section class="stack" aria-label="Готовые библиотеки">
      <h2>Готовые библиотеки</h2>
      <p class="quiet">
        Листают страницы, повторяют запросы, читают ленту событий и проверяют подписи вебхуков.{' '}
        <a href="/docs">Справочник API</a> показывает, с чего начать.
      </p>
      {packages.map(({ language, install }) => (
        <div key={language} class="stack">
          <h3>{language}</h3>
          <pre class="code-block">{install(location.origin)}</pre>
          <div>
            <CopyButton text={install(location.origin)} label={`Скопировать для ${language}`} />
          </div>
        </div>
      ))}
    </section>
  )
}
