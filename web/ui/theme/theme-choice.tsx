import { useState } from 'preact/hooks'
import { keepTheme, keptTheme, type Theme, themes } from './theme.ts'

/** Light or dark, whatever the system says. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(keptTheme)
  const choose = (next: Theme) => {
    keepTheme(next)
    setTheme(next)
  }
  return (
    <select
      class="theme"
      aria-label="Тема"
      value={theme}
      onChange={({ currentTarget: { value } }) => choose(value as Theme)}
    >
      {Object.entries(themes).map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  )
}
