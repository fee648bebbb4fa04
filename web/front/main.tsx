import { render } from 'preact'
import { ThemeChoice } from '../ui/theme/theme-choice.tsx'
import './style.css'

/** The root address: everybody finds the own door here. */
const doors = [
  { href: '/staff/app', title: 'Склад', text: 'Менеджерам: приёмки, заказы, отгрузки, клиенты.' },
  { href: '/staff/scan', title: 'Терминал', text: 'Сотрудникам склада: задания и сканер.' },
  {
    href: '/account',
    title: 'Личный кабинет',
    text: 'Продавцам: остатки, заказы, поставки и песочница.',
  },
  { href: '/docs', title: 'API', text: 'Разработчикам продавца: справочник и тестовый ключ.' },
]

function Front() {
  return (
    <main class="front stack">
      <div class="row head">
        <h1>Sklad</h1>
        <ThemeChoice />
      </div>
      <p class="quiet">Склад фулфилмента для продавцов на WB и OZON.</p>
      <ul class="doors">
        {doors.map(({ href, title, text }) => (
          <li key={href}>
            <a class="panel" href={href}>
              <h2>{title}</h2>
              <p class="quiet">{text}</p>
            </a>
          </li>
        ))}
      </ul>
    </main>
  )
}

render(<Front />, document.getElementById('app') ?? document.body)
