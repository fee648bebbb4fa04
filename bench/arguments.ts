import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** The command line of a benchmark. */
export interface Arguments<Flag extends string> {
  /** The value of each flag, as written. */
  readonly text: Readonly<Partial<Record<Flag, string>>>
  /** Run every case once, small and short. */
  readonly smoke: boolean
  /** Run every case, smaller and shorter than usual. */
  readonly quick: boolean
  /** Directory of the results. Undefined: print only. */
  readonly resultsDir: string | undefined
  number(flag: Flag, bounds: Bounds): number
  /** Parses a number; ends the process if it is not within the bounds. */
  checked(flag: Flag, text: string, bounds: Checked): number
}

type Checked = Omit<Bounds, 'usual' | 'smoke' | 'quick'>

interface Bounds {
  readonly usual: number
  readonly smoke: number
  /** Where the benchmark has --quick. */
  readonly quick?: number
  readonly least: number
  readonly most?: number
  readonly whole?: boolean
}

export const resultsDirectory = fileURLToPath(new URL('results', import.meta.url))

/** Reads the given flags, each with a value, and --out, --no-out, --smoke and --help. Ends the process on an error. */
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
      ...(usage.includes('--quick') && { quick: { type: 'boolean' as const } }),
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  const text = values as Partial<Record<Flag, string>>
  const smoke = values.smoke === true
  const quick = 'quick' in values && values.quick === true
  const out = typeof values.out === 'string' ? values.out : undefined
  const printed = smoke || quick || values['no-out'] === true

  function checked(flag: Flag, value: string, bounds: Checked): number {
    const { least, most = Number.POSITIVE_INFINITY, whole = false } = bounds
    const parsed = Number(value)
    const fits = Number.isFinite(parsed) && parsed >= least && parsed <= most
    if (fits && (!whole || Number.isInteger(parsed))) return parsed
    const kind = whole ? 'a whole number' : 'a number'
    const range = most === Number.POSITIVE_INFINITY ? `${least} on` : `${least} to ${most}`
    console.error(`--${flag} must be ${kind} from ${range}, got "${value}"\n\n${usage}`)
    process.exit(2)
  }

  return {
    text,
    smoke,
    quick,
    resultsDir: printed ? out : (out ?? resultsDirectory),
    checked,
    number(flag, bounds) {
      const given = text[flag]
      if (given !== undefined) return checked(flag, given, bounds)
      if (smoke) return bounds.smoke
      return quick ? (bounds.quick ?? bounds.usual) : bounds.usual
    },
  }
}

/** The options that results show: all but paths of the machine that ran them. */
export type Plan<Options> = Omit<Options, 'resultsDir' | 'dataDir' | 'profileDir'>

export function planOf<Options extends object>(options: Options): Plan<Options> {
  const places = new Set(['resultsDir', 'dataDir', 'profileDir'])
  const shown = Object.entries(options).filter(([name]) => !places.has(name))
  return Object.fromEntries(shown) as Plan<Options>
}
