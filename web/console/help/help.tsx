import { useLocation } from 'preact-iso'
import { pageAt } from '../rooms.ts'
import { paragraphs } from './paragraphs.ts'

const keys = [
  ['Ctrl K', 'найти номер, штрихкод, товар или раздел, выполнить команду'],
  ['/', 'поиск в списке'],
  ['J и K', 'строка ниже и выше'],
  ['Enter', 'открыть строку'],
  ['Esc', 'закрыть форму, окно или меню'],
  ['?', 'эта справка'],
] as const

/** What the page is for, and the keys of all pages. */
export function Help() {
  const { path } = useLocation()
  const page = pageAt(path)
  const paragraph = paragraphs[page?.href ?? '']
  return (
    <div class="stack">
      <h2 id="help-title">Справка</h2>
      {page !== undefined && paragraph !== undefined && (
        <section class="stack">
          <h3>{page.title}</h3>
          <p>{paragraph}</p>
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
