import { stripTypeScriptTypes } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { ClientSources } from './sources.ts'
import { tarOf } from './tar.ts'

/** What `npm pack` puts into the package, with the types stripped by Node instead of the compiler. */
export function npmPackage({ read, namesIn }: ClientSources): Buffer {
  const whole = [
    'package.json',
    'README.md',
    ...namesIn('typescript/types').map((name) => `types/${name}`),
  ].map((path) => ({ path: `package/${path}`, text: read(`typescript/${path}`) }))
  const stripped = namesIn('typescript/src').map((name) => ({
    path: `package/dist/${name.replace(/\.ts$/, '.js')}`,
    text: stripTypeScriptTypes(read(`typescript/src/${name}`)).replace(
      /(from '\.\/[\w-]+)\.ts'/g,
      "$1.js'",
    ),
  }))
  return gzipSync(tarOf([...whole, ...stripped]))
}
