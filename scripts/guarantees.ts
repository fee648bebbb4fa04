import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export const guaranteesPath = 'docs/guarantees.md'

/** What a test holds: the comment `// Guarantee (room): sentence` directly above it. */
export interface Guarantee {
  readonly room: string
  readonly sentence: string
  readonly path: string
  /** Whether a test follows the comment. */
  readonly hasTest: boolean
}

/** The guarantees of all tests, in the order of their files. */
export function readGuarantees(): Guarantee[] {
  return globSync(['{src,web,tests}/**/*.test.{ts,tsx}'], {
    cwd: root,
    exclude: ['**/node_modules'],
  })
    .toSorted()
    .flatMap((path) => guaranteesIn(path, readFileSync(root + path, 'utf8')))
}

/** A sentence may go on in the next lines of its comment. */
export function guaranteesIn(path: string, text: string): Guarantee[] {
  const comments = /^ *\/\/ Guarantee \((.*?)\): (.+(?:\n *\/\/ .+)*)\n(.*)/gm
  return [...text.matchAll(comments)].map(([, room = '', lines = '', next = '']) => ({
    room,
    sentence: lines.replaceAll(/\n *\/\/ /g, ' '),
    path,
    hasTest: /^ *(?:await )?(?:\w+\.)?test\(/.test(next),
  }))
}

/** The page of all guarantees, by room. */
export function guaranteesPage(guarantees: readonly Guarantee[]): string {
  const rooms = Map.groupBy(guarantees, ({ room }) => room)
  const sections = [...rooms].toSorted().map(([room, held]) => {
    const lines = [...Map.groupBy(held, ({ path }) => path)].map(
      ([path, its]) => `- ${its.map(({ sentence }) => sentence).join(' ')} [test](../${path})`,
    )
    return `## ${room}\n\n${lines.join('\n')}\n`
  })
  return `# Guarantees

What must never break, by room. The linked file has each sentence as a comment, \`// Guarantee (room): …\`, directly above the test that
holds it; \`npm run openapi\` gathers them here. What they mean for whoever has data here is in [security.md](security.md).

${sections.join('\n')}`
}
