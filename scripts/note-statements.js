// Loaded into a process (NODE_OPTIONS=--import=…): adds what it sent to PostgreSQL to the file that STATEMENTS names, each statement once.
import { appendFileSync } from 'node:fs'
import pg from 'pg'

const { STATEMENTS: path } = process.env
const noted = new Set()
const { query } = pg.Client.prototype
pg.Client.prototype.query = function note(statement, ...rest) {
  const text = typeof statement === 'string' ? statement : statement?.text
  if (typeof text === 'string') noted.add(text)
  return query.call(this, statement, ...rest)
}
process.on('exit', () => {
  const lines = [...noted].map((text) => `${JSON.stringify(text)}\n`)
  if (path !== undefined && lines.length > 0) appendFileSync(path, lines.join(''))
})
