// "npm run examples": records the examples of the API reference in src/http/public/examples.json.
import { writeFileSync } from 'node:fs'
import { recordExamples } from './examples/record.ts'

const target = new URL('../src/http/public/examples.json', import.meta.url)
const examples = await recordExamples()
writeFileSync(target, `${JSON.stringify(examples, undefined, 2)}\n`)
console.log(
  `${Object.keys(examples).length} operations and events are recorded in src/http/public/examples.json`,
)
