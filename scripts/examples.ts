// "npm run examples": gathers the examples of the API references from a running service.
import { writeFileSync } from 'node:fs'
import { gatherExamples } from './examples/gather.ts'

const { seller, staff } = await gatherExamples()
for (const [path, examples] of [
  ['src/http/public/examples.json', seller],
  ['src/http/staff/examples.json', staff],
] as const) {
  writeFileSync(
    new URL(`../${path}`, import.meta.url),
    `${JSON.stringify(examples, undefined, 2)}\n`,
  )
  console.log(`${Object.keys(examples).length} examples are kept in ${path}`)
}
