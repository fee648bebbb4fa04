import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Source {
  /** Below src, such as `warehouse/receipts/state.ts`. */
  readonly path: string
  /** The room's name: the folder below its floor, `http` or `sandbox`, or the file's own name if it lies in src itself. */
  readonly room: string
  readonly text: string
}

export interface Import {
  readonly from: Source
  /** As the source writes it. */
  readonly target: string
  /** The imported file, from src; undefined for a package. */
  readonly path: string | undefined
}

const root = fileURLToPath(new URL('../../src/', import.meta.url))

/** All TypeScript files below src except unit tests. */
export function readSources(): Source[] {
  return globSync('**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .sort()
    .map((path) => sourceOf(path, readFileSync(join(root, path), 'utf8')))
}

export function sourceOf(path: string, text: string): Source {
  return { path, room: roomOf(path), text }
}

/** Floors that are one room each. What lies beside src, such as `../sdk`, counts as a room. */
const undivided = ['http', 'sandbox']

export function roomOf(path: string): string {
  const [floor = '', room = ''] = path.split('/')
  if (floor === '..') return `../${room}`
  return path.includes('/') && !undivided.includes(floor) ? room : floor
}

/** Imports of a file: of values and types, static and dynamic. */
export function importsOf(from: Source): Import[] {
  const statements =
    /^(?:import|export)\b[^;'"]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm
  return [...from.text.matchAll(statements)].map(([, ...found]) => {
    const target = found.find((text) => text !== undefined) ?? ''
    const path = target.startsWith('.') ? normalize(join(dirname(from.path), target)) : undefined
    return { from, target, path }
  })
}

/** Names that a file exports by declaration or in a list; a type and a value of one name count once. */
export function exportsOf({ text }: Source): string[] {
  const declared =
    /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm
  const lists = /^export (?:type )?\{([^}]*)\}/gm
  const names = [...text.matchAll(declared)].map(([, name = '']) => name)
  for (const [, list = ''] of text.matchAll(lists)) {
    for (const part of list.split(',')) {
      const name = part.trim().split(/\s+/).at(-1) ?? ''
      if (name !== '') names.push(name)
    }
  }
  return [...new Set(names)]
}

/** The text without comments. */
export function codeOf({ text }: Source): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$|\s\/\/ .*$/gm, '')
}
