import { useLocation } from 'preact-iso'
import { HelpText, type Keys } from '../ui/help-text.tsx'
import { paragraphOf } from './paragraphs.ts'
import { pageAt } from './rooms.ts'

const keys: Keys = [
  ['Ctrl K', 'найти номер, штрихкод, товар или раздел, выполнить команду'],
  ['/', 'поиск в списке'],
  ['J и K', 'строка ниже и выше'],
  ['Enter', 'открыть строку'],
  ['Ctrl Z', 'отменить последнее действие, пока видна его подсказка'],
  ['Esc', 'закрыть форму, окно или меню'],
  ['?', 'эта справка'],
]

export function Help() {
  const { path } = useLocation()
  const paragraph = paragraphOf(path)
  const title = pageAt(path)?.title ?? 'Начало работы'
  return <HelpText page={paragraph === undefined ? undefined : { title, paragraph }} keys={keys} />
}
