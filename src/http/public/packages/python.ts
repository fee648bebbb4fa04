import { createHash } from 'node:crypto'
import type { ClientSources } from './sources.ts'
import type { PackedFile } from './tar.ts'
import { zipOf } from './zip.ts'

const module = ['sklad/__init__.py', 'sklad/api.py', 'sklad/py.typed']

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
    ...module.map((path) => ({ path, text: read(`python/${path}`) })),
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
