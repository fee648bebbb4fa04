import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { builtFiles } from '../../../../sdk/typescript/build.ts'
import { type PackedFile, tarOf, zipOf } from './archives.ts'

/** The clients in `sdk/` as packages for npm, Composer and pip. */

const folder = new URL('../../../../sdk/', import.meta.url)

/** Where the sources show the address of a service. */
const shownAddress = 'https://api.example.ru'

/** The files of `sdk/`, with the service's own address where they show one. */
export interface ClientSources {
  read(path: string): string
  /** The names of the files in a folder, in order. */
  namesIn(path: string): string[]
  /** A text made of them, with that address. */
  addressed(text: string): string
}

export function clientSources(baseUrl: string): ClientSources {
  const addressed = (text: string) => text.replaceAll(shownAddress, baseUrl)
  return {
    addressed,
    read: (path) => addressed(readFileSync(new URL(path, folder), 'utf8')),
    namesIn: (path) => readdirSync(new URL(path, folder)).sort(),
  }
}

/** What `npm pack` puts into the package. */
export function npmPackage({ read, namesIn, addressed }: ClientSources): Buffer {
  const whole = [
    'package.json',
    'README.md',
    ...namesIn('typescript/types').map((name) => `types/${name}`),
  ].map((path) => ({ path, text: read(`typescript/${path}`) }))
  const built = builtFiles().map(({ path, text }) => ({ path, text: addressed(text) }))
  return gzipSync(
    tarOf([...whole, ...built].map(({ path, text }) => ({ path: `package/${path}`, text }))),
  )
}

interface ComposerPackage {
  readonly name: string
  readonly version: string
}

const composerPackageOf = ({ read }: ClientSources): ComposerPackage =>
  JSON.parse(read('php/composer.json'))

export function phpArchiveName(sources: ClientSources): string {
  return `sklad-php-${composerPackageOf(sources).version}.zip`
}

export function phpArchive({ read }: ClientSources): Promise<Buffer> {
  const names = ['composer.json', 'README.md', 'sklad.php']
  return zipOf(names.map((path) => ({ path, text: read(`php/${path}`) })))
}

/** What makes /sdk a repository of Composer. The reference tells Composer that another archive of the same version came. */
export async function composerRepository(sources: ClientSources, address: string): Promise<Buffer> {
  const described = composerPackageOf(sources)
  const { name, version } = described
  const shasum = createHash('sha1')
    .update(await phpArchive(sources))
    .digest('hex')
  const dist = { type: 'zip', url: address, reference: shasum, shasum }
  return Buffer.from(
    JSON.stringify({ packages: { [name]: { [version]: { ...described, dist } } } }),
  )
}

const wheelModule = ['sklad/__init__.py', 'sklad/api.py', 'sklad/py.typed']

/** pip takes the name, the version and what it fits from the name of the file. */
export function wheelName({ read }: ClientSources): string {
  const [, version] = /^Version: (.+)$/m.exec(read('python/METADATA')) ?? []
  return `sklad-${version}-py3-none-any.whl`
}

/** A wheel (PyPA, binary distribution format 1.0): the module, and beside it what pip wants to know. */
export function pythonWheel(sources: ClientSources): Promise<Buffer> {
  const { read } = sources
  const [release] = wheelName(sources).split('-py3')
  const about = `${release}.dist-info`
  const files: PackedFile[] = [
    ...wheelModule.map((path) => ({ path, text: read(`python/${path}`) })),
    { path: `${about}/METADATA`, text: `${read('python/METADATA')}\n${read('python/README.md')}` },
    {
      path: `${about}/WHEEL`,
      text: 'Wheel-Version: 1.0\nGenerator: sklad\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    },
  ]
  const record = `${about}/RECORD`
  const lines = [...files.map(recordLine), `${record},,\n`]
  return zipOf([...files, { path: record, text: lines.join('') }])
}

function recordLine({ path, text }: PackedFile): string {
  const digest = createHash('sha256').update(text).digest('base64url')
  return `${path},sha256=${digest},${Buffer.byteLength(text)}\n`
}
