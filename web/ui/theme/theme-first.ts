import { applyTheme, keptTheme } from './theme.ts'

/** Runs after the styles and before anything is painted: no page flashes in the other colours. */
applyTheme(keptTheme())
