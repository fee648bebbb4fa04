import { useLocation } from 'preact-iso'
import { HelpText, type Keys } from '../ui/help-text.tsx'
import { paragraphOf } from './paragraphs.ts'

const keys: Keys = [
  ['/', 'поиск в списке'],
  ['J и K', 'строка ниже и выше'],
  ['Enter', 'открыть строку'],
  ['Ctrl Z', 'отменить последнее действие, пока видна его подсказка'],
  ['Esc', 'закрыть окно'],
  ['?', 'эта справка'],
]

export function Help() {
  const { path } = useLocation()
  return <HelpText page={paragraphOf(path)} keys={keys} />
}
