// Compiles the package: "npm pack" runs it, and the service calls it when it packs the client itself.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

export interface BuiltFile {
  /** Below the root of the package. */
  readonly path: string
  readonly text: string
}

const folder = fileURLToPath(new URL('.', import.meta.url))

/** ES modules in `dist/`; CommonJS in `cjs/`, with the same declarations once more, because they are read as the code beside them is. */
export function builtFiles(): BuiltFile[] {
  const sources = readdirSync(`${folder}src`).sort()
  // The command is started, not imported, and waits at its top level, which CommonJS can't.
  const imported = sources.filter((name) => name !== 'command.ts')
  return [
    ...compiled(sources, 'esm', 'dist'),
    ...compiled(imported, 'cjs', 'cjs'),
    ...imported.map((name) => declaration(name.replace(/\.ts$/, '.d.ts'))),
    { path: 'cjs/package.json', text: '{ "type": "commonjs" }\n' },
  ]
}

function compiled(names: readonly string[], format: 'esm' | 'cjs', target: string): BuiltFile[] {
  const { outputFiles } = buildSync({
    entryPoints: names.map((name) => `${folder}src/${name}`),
    absWorkingDir: folder,
    outdir: target,
    platform: 'node',
    target: 'es2022',
    charset: 'utf8',
    format,
    write: false,
  })
  return outputFiles.map(({ path, text }) => ({
    path: path.slice(folder.length),
    text: text.replace(/((?:from|import|require\() ?"\.\/[\w-]+)\.ts"/g, '$1.js"'),
  }))
}

function declaration(name: string): BuiltFile {
  return { path: `cjs/${name}`, text: readFileSync(`${folder}types/${name}`, 'utf8') }
}

if (import.meta.main) {
  for (const { path, text } of builtFiles()) {
    mkdirSync(`${folder}${path}`.replace(/\/[^/]*$/, ''), { recursive: true })
    writeFileSync(`${folder}${path}`, text)
  }
}
