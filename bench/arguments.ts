import { parseArgs } from 'node:util'

/** What a benchmark is told on its command line. */
export interface Arguments<Flag extends string> {
  /** As it was written. */
  readonly text: Readonly<Partial<Record<Flag, string>>>
  /** Everything once, small and short. */
  readonly smoke: boolean
  /** Where the results go; undefined: they are only printed. */
  readonly resultsDir: string | undefined
  number(flag: Flag, bounds: Bounds): number
  /** A text that must be a number within these bounds. */
  checked(flag: Flag, text: string, bounds: Omit<Bounds, 'usual' | 'smoke'>): number
}

interface Bounds {
  readonly usual: number
  readonly smoke: number
  readonly least: number
  readonly most?: number
  readonly whole?: boolean
}

const resultsDirectory = new URL('results', import.meta.url).pathname

/** Reads flags that take a value, beside --out, --no-out, --smoke and --help; ends the process where it can't. */
export function readArguments<const Flag extends string>(
  argv: readonly string[],
  usage: string,
  flags: readonly Flag[],
): Arguments<Flag> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      ...Object.fromEntries(flags.map((flag) => [flag, { type: 'string' as const }])),
      out: { type: 'string' },
      'no-out': { type: 'boolean' },
      smoke: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  const text = values as Partial<Record<Flag, string>>
  const smoke = values.smoke === true
  const out = typeof values.out === 'string' ? values.out : undefined
  const printed = smoke || values['no-out'] === true

  function checked(flag: Flag, told: string, bounds: Omit<Bounds, 'usual' | 'smoke'>): number {
    const { least, most = Number.POSITIVE_INFINITY, whole = false } = bounds
    const value = Number(told)
    const fits = Number.isFinite(value) && value >= least && value <= most
    if (fits && (!whole || Number.isInteger(value))) return value
    const kind = whole ? 'a whole number' : 'a number'
    const range = most === Number.POSITIVE_INFINITY ? `${least} on` : `${least} to ${most}`
    console.error(`--${flag} must be ${kind} from ${range}, got "${told}"\n\n${usage}`)
    process.exit(2)
  }

  return {
    text,
    smoke,
    resultsDir: printed ? out : (out ?? resultsDirectory),
    checked,
    number(flag, bounds) {
      const told = text[flag]
      if (told !== undefined) return checked(flag, told, bounds)
      return smoke ? bounds.smoke : bounds.usual
    },
  }
}

/** What was asked for, without the places on somebody's machine: results are for others to read. */
export type Asked<Options> = Omit<Options, 'resultsDir' | 'dataDir' | 'profileDir'>

export function askedOf<Options extends object>(options: Options): Asked<Options> {
  const places = new Set(['resultsDir', 'dataDir', 'profileDir'])
  const asked = Object.entries(options).filter(([name]) => !places.has(name))
  return Object.fromEntries(asked) as Asked<Options>
}
