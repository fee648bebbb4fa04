import { gzipSync } from 'node:zlib'
import { builtFiles } from '../../../../sdk/typescript/build.ts'
import type { ClientSources } from './sources.ts'
import { tarOf } from './tar.ts'

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
