/** Light, dark, or what the system says. It is kept in this browser. */
export const themes = { system: 'Тема: авто', light: 'Светлая', dark: 'Тёмная' } as const

export type Theme = keyof typeof themes

const place = 'theme'

export function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(place) ?? ''
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}

export function keepTheme(theme: Theme): void {
  localStorage.setItem(place, theme)
  applyTheme(theme)
}

const media = { system: '(prefers-color-scheme: dark)', light: 'not all', dark: 'all' } as const

/** The dark colours are one rule of the styles: it applies by the system's word, always or never. */
export function applyTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) if (isDark(rule)) rule.media.mediaText = media[theme]
  }
}

function isDark(rule: CSSRule): rule is CSSMediaRule {
  if (!(rule instanceof CSSMediaRule)) return false
  const [first] = rule.cssRules
  return first instanceof CSSStyleRule && first.style.getPropertyValue('--page') !== ''
}
