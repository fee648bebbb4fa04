// Test files of one kind run eight to a process: to start a process and load the service takes a second of processor
// time, a service with its database another. What a file calls says of which kind it is; any other runs alone, and so
// does a file of tests/failover/: such files wait for processes for minutes, and one after the other would hold up the run.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const callsOfKinds = {
  // They share a service and its database.
  service: /\b(?:sharedService|openTarget)\(\)/,
  // Each has a database of its own.
  scene: /^const scene = await openScene\(\)/m,
  database: /^const \{ db\b.*\} = await (?:test|scenario)Database\(/m,
  // Each has a service of its own.
  own: /^const \w+ = await (?:startService|openTarget)\(/m,
  marketplace: /^import .* from '\.\.\/support\/marketplaces\//m,
}
const filesOfGroupMax = 8

/** Writes files that run the groups into the directory; returns what `node --test` is to run. */
export function groupTests(paths, directory) {
  const alone = new Set(paths)
  const groups = Object.entries(callsOfKinds).flatMap(([kind, call]) => {
    const files = [...alone].filter(
      (path) => !isLong(path) && call.test(readFileSync(path, 'utf8')),
    )
    const count = Math.ceil(files.length / filesOfGroupMax)
    return Array.from({ length: count }, (_, at) => {
      const members = files.filter((_, index) => index % count === at)
      for (const path of members) alone.delete(path)
      const group = join(directory, `${kind}-${at + 1}.mjs`)
      writeFileSync(group, groupOf(members))
      return group
    })
  })
  return [...groups, ...alone]
}

function isLong(path) {
  return path.includes('tests/failover/')
}

/** No test starts before every file is loaded, so none meets the preparations of another. */
function groupOf(paths) {
  const imports = paths.map((path) => `  await import('${pathToFileURL(resolve(path)).href}')`)
  return `import { before } from 'node:test'
const { promise: loaded, resolve, reject } = Promise.withResolvers()
before(() => loaded)
try {
${imports.join('\n')}
  resolve()
} catch (error) {
  reject(error)
  throw error
}
`
}
