import { createHash } from 'node:crypto'
import type { ClientSources } from './sources.ts'
import { zipOf } from './zip.ts'

interface Package {
  readonly name: string
  readonly version: string
}

const packageOf = ({ read }: ClientSources): Package => JSON.parse(read('php/composer.json'))

export function phpArchiveName(sources: ClientSources): string {
  return `sklad-php-${packageOf(sources).version}.zip`
}

export function phpArchive({ read }: ClientSources): Promise<Buffer> {
  const names = ['composer.json', 'README.md', 'sklad.php']
  return zipOf(names.map((path) => ({ path, text: read(`php/${path}`) })))
}

/** What makes /sdk a repository of Composer. The reference tells Composer that another archive of the same version came. */
export async function composerRepository(sources: ClientSources, address: string): Promise<Buffer> {
  const described = packageOf(sources)
  const { name, version } = described
  const shasum = createHash('sha1')
    .update(await phpArchive(sources))
    .digest('hex')
  const dist = { type: 'zip', url: address, reference: shasum, shasum }
  return Buffer.from(
    JSON.stringify({ packages: { [name]: { [version]: { ...described, dist } } } }),
  )
}
