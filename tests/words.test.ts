// docs/glossary.md has one word for one thing. Its column "Not" lists the words that must not stand for it.
// And documents stay as short as somebody reads them.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')

/** Everything that people write. Generated documents follow from it. */
const written = [
  '*.md',
  'bench/*.md',
  'bench/**/*.ts',
  'bin/*.js',
  'docs/**/*',
  'migrations/*.sql',
  'scripts/**/*.{ts,js}',
  'sdk/*/*.{md,php}',
  'sdk/behaviours.json',
  'sdk/python/sklad/__init__.py',
  'sdk/typescript/src/**/*.ts',
  'src/**/*.{ts,md}',
  'tests/**/*.ts',
  'web/**/*.{ts,tsx,css,md}',
]
const exempt = ['docs/glossary.md', 'tests/words.test.ts', 'web/api/staff-calls.ts']

interface Entry {
  readonly word: string
  /** Words or phrases that the glossary replaces by `word`. */
  readonly replaced: readonly string[]
}

const glossary = read('docs/glossary.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Word '))
  .map(entryOf)

function entryOf(line: string): Entry {
  const cells = line.split('|').map((cell) => cell.trim())
  assert.equal(cells.length, 5, line)
  const [, word = '', , not = ''] = cells
  return { word, replaced: not === '' ? [] : not.split(',').map((phrase) => phrase.trim()) }
}

/** Words of identifiers stand apart: `leaseLanes` and `lease_lanes` become `lease Lanes` and `lease lanes`. */
function inWords(text: string): string {
  return text.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replaceAll('_', ' ')
}

/** Matches a phrase and its plural, also across a line break of a comment. */
function patternOf(phrase: string): RegExp {
  return new RegExp(`\\b${phrase.split(' ').join('[\\s*/-]+')}s?\\b`, 'giu')
}

function findReplaced(text: string): string[] {
  const words = inWords(text)
  return glossary.flatMap(({ word, replaced }) =>
    replaced
      .filter((phrase) => patternOf(phrase).test(words))
      .map((phrase) => `"${phrase}", the word is "${word}"`),
  )
}

test('no file uses a word that the glossary replaces', () => {
  const paths = globSync(written, { cwd: root, exclude: ['**/node_modules'] }).filter((path) =>
    /\.\w+$/.test(path),
  )
  assert.ok(paths.length > 500, `only ${paths.length} files were found`)
  const found = paths
    .filter((path) => !exempt.includes(path))
    .flatMap((path) => findReplaced(read(path)).map((use) => `${path}: ${use}`))
  assert.deepEqual(found, [])
})

test('replaced words are found in identifiers, in plurals and across lines', () => {
  assert.ok(glossary.filter(({ replaced }) => replaced.length > 0).length > 10)
  for (const text of [
    'leaseLanes',
    'lease_lane',
    'known\n * goods',
    'KnownGoods',
    'cabinet-tasks',
  ]) {
    assert.equal(findReplaced(text).length, 1, text)
  }
  assert.deepEqual(findReplaced('a plane, a stolen desktop'), [])
})

/** In bytes: what somebody reads at one sitting. */
const longest: Readonly<Record<string, number>> = {
  'README.md': 12_000,
  'ARCHITECTURE.md': 15_000,
  'CHANGELOG.md': 12_000,
  'CONTRIBUTING.md': 12_000,
}

test('documents that everybody reads stay short', () => {
  for (const [path, max] of Object.entries(longest)) {
    const size = Buffer.byteLength(read(path))
    assert.ok(size <= max, `${path} has ${size} bytes, at most ${max}`)
  }
})

/** A heading's name in links, as GitHub makes it. */
function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return words.trim().replaceAll(/\s/g, '-')
}

function anchorsOf(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

/** In lines of at most 150 characters, but for tables and links. */
const longestInLines: Readonly<Record<string, number>> = {
  '{src,web}/**/README.md': 60,
  'docs/decisions/*.md': 50,
}
test('a document of one room or one decision fits a screen or two', () => {
  for (const [pattern, max] of Object.entries(longestInLines)) {
    const paths = globSync(pattern, { cwd: root })
    assert.ok(paths.length > 0, pattern)
    for (const path of paths) {
      const lines = read(path).trimEnd().split('\n')
      assert.ok(lines.length <= max, `${path} has ${lines.length} lines, at most ${max}`)
      const wide = lines.filter((line) => line.length > 150 && !/^\||\]\(/.test(line))
      assert.deepEqual(wide, [], path)
    }
  }
})

test('every link of a document leads to a file, and to a heading that is there', () => {
  const documents = globSync(['*.md', '{bench,docs,sdk,src,tests,web}/**/*.md'], {
    cwd: root,
    exclude: ['**/node_modules'],
  })
  assert.ok(documents.length > 50)
  const broken = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, to = '', anchor]) => {
        const target = to === '' ? path : join(dirname(path), to)
        if (!existsSync(root + target)) return true
        return anchor !== undefined && !anchorsOf(read(target)).includes(anchor)
      })
      .map(([link]) => `${path}: ${link}`),
  )
  assert.deepEqual(broken, [])
})
