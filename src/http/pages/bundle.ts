import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { type SurfaceName, surfaces } from './surfaces.ts'

/**
 * Bundles the web pages of `web/` in memory when the service starts: there is no build step, and the repository
 * holds no built file. Names carry a hash of the content, so browsers keep a file for ever.
 */

export interface WebFile {
  readonly type: string
  readonly bytes: Buffer
}

/** What a page of a surface loads first: paths below `/assets/`. */
export interface EntryFiles {
  readonly script: string
  readonly style: string
  /** Modules that the script imports at once. */
  readonly modules: readonly string[]
  /** The modules of each page that is loaded later, by its source. */
  readonly later: Readonly<Record<string, readonly string[]>>
}

export interface WebFiles {
  /** By name below `/assets/`. */
  readonly files: ReadonlyMap<string, WebFile>
  readonly entries: Readonly<Record<SurfaceName, EntryFiles>>
  /** The name of the script that sets a chosen theme before the page is painted. */
  readonly theme: string
  /** The script of the handheld's service worker. */
  readonly worker: string
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
const outdir = 'assets'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/** A function that bundles when it is first called, and answers the same files from then on. */
export function bundleOnce(): () => Promise<WebFiles> {
  let files: Promise<WebFiles> | undefined
  return () => {
    files ??= bundleWeb()
    return files
  }
}

export async function bundleWeb(): Promise<WebFiles> {
  // Loaded here: a process without pages never needs it.
  const esbuild = await import('esbuild')
  try {
    // Each apart: what surfaces share would fall into more and smaller files, and nobody opens two of them often.
    const built = await Promise.all(
      Object.entries(surfaces).map(([name, surface]) =>
        esbuild.build({
          ...buildOptions({ [name]: surface }),
          plugins: [inOneFile(surface.source)],
        }),
      ),
    )
    const outputs = Object.assign({}, ...built.map(({ metafile }) => metafile.outputs)) as Outputs
    const files = new Map(
      built
        .flatMap(({ outputFiles }) => outputFiles)
        .map(({ path, contents }) => [
          nameOf(path.slice(root.length)),
          {
            type: types[extname(path)] ?? 'application/octet-stream',
            bytes: Buffer.from(contents),
          },
        ]),
    )
    const names = Object.keys(surfaces) as SurfaceName[]
    const entries = names.map((name) => [name, entryFiles(outputs, surfaces[name].source)])
    const theme = await bundleTheme(esbuild.build)
    const worker = await bundleWorker(esbuild.build, outputs, theme.name)
    files.set(theme.name, theme.file)
    return { files, entries: Object.fromEntries(entries), theme: theme.name, worker }
  } finally {
    await esbuild.stop()
  }
}

/**
 * Keeps the first page in one file. Pages that are loaded later import its entry, so the bundler puts what they share
 * into the entry's file. Otherwise the shared modules become many small files, which compress worse and wait for each
 * other on a slow connection.
 */
function inOneFile(entry: string): Plugin {
  const path = join(root, entry)
  return {
    name: 'first page in one file',
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ kind, path: asked, resolveDir }) =>
        kind === 'dynamic-import'
          ? { path: join(resolveDir, asked), pluginData: { isLater: true } }
          : null,
      )
      build.onLoad({ filter: /\.tsx?$/ }, async ({ path: file, pluginData }) => {
        if (pluginData?.isLater !== true) return null
        const source = await readFile(file, 'utf8')
        const loader = extname(file) === '.tsx' ? 'tsx' : 'ts'
        return { contents: `import ${JSON.stringify(path)}\n${source}`, loader }
      })
    },
  }
}

function buildOptions(sources: Readonly<Record<string, { readonly source: string }>>) {
  return {
    absWorkingDir: root,
    entryPoints: Object.entries(sources).map(([out, { source }]) => ({ in: source, out })),
    outdir,
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // A tsconfig would beat the options above.
    tsconfigRaw: '{}',
    loader: { '.wasm': 'file', '.svg': 'file' },
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
    write: false,
  } as const
}

/**
 * The worker keeps every file of the handheld, that of its theme too, and changes whenever one of them does. The decoder of the camera comes when it is
 * wanted: a terminal with a scanner never loads its megabyte.
 */
async function bundleWorker(
  build: typeof import('esbuild').build,
  outputs: Outputs,
  theme: string,
): Promise<string> {
  const { script, style } = entryFiles(outputs, surfaces.handheld.source)
  const names = new Set([script, style, theme])
  addModules(outputs, `${outdir}/${script}`, names, (kind) => kind !== 'file-loader')
  const files = [...names].map((name) => `/${outdir}/${name}`)
  const { outputFiles } = await build({
    ...buildOptions({ worker: { source: 'web/handheld/service-worker.ts' } }),
    splitting: false,
    define: {
      FILES: JSON.stringify(files),
      VERSION: JSON.stringify(hash('sha256', files.join(), 'hex').slice(0, 12)),
    },
  })
  return outputFiles[0]?.text ?? ''
}

/** A script that blocks is no module. */
async function bundleTheme(build: typeof import('esbuild').build) {
  const options = buildOptions({ theme: { source: 'web/ui/theme/theme-first.ts' } })
  const { outputFiles } = await build({ ...options, format: 'iife', splitting: false })
  const [output] = outputFiles
  if (output === undefined) throw new Error('the theme made no script')
  const file = { type: types['.js'] ?? '', bytes: Buffer.from(output.contents) }
  return { name: nameOf(output.path.slice(root.length)), file }
}

type Outputs = Readonly<
  Record<
    string,
    {
      readonly entryPoint?: string
      readonly cssBundle?: string
      readonly imports: readonly { readonly path: string; readonly kind: string }[]
    }
  >
>

function entryFiles(outputs: Outputs, source: string): EntryFiles {
  const [script, output] =
    Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ?? []
  if (script === undefined || output?.cssBundle === undefined) {
    throw new Error(`${source} made no script and style`)
  }
  const modules = new Set<string>()
  addModules(outputs, script, modules)
  const later = Object.entries(outputs).flatMap(([path, { entryPoint }]) => {
    if (entryPoint === undefined || path === script) return []
    const names = new Set([nameOf(path)])
    addModules(outputs, path, names)
    names.delete(nameOf(script))
    return [[entryPoint, [...names].filter((name) => !modules.has(name))] as const]
  })
  return {
    script: nameOf(script),
    style: nameOf(output.cssBundle),
    modules: [...modules],
    later: Object.fromEntries(later),
  }
}

/** Adds the names of all files that `path` imports, directly or through others; by default those that it needs at once. */
function addModules(
  outputs: Outputs,
  path: string,
  modules: Set<string>,
  isWanted: (kind: string) => boolean = (kind) => kind === 'import-statement',
): void {
  for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
    if (!isWanted(kind) || modules.has(nameOf(imported))) continue
    modules.add(nameOf(imported))
    addModules(outputs, imported, modules, isWanted)
  }
}

function nameOf(path: string): string {
  return path.slice(outdir.length + 1)
}
