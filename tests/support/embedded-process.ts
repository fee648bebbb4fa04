// A process that uses the embedded server, for tests to kill: node embedded-process.ts <data directory> <service|command> [statement]
// Prints "ready" when it uses the server, runs the statement, if any, and then waits to be killed.

import { openDatabase } from '../../src/platform/db/connection.ts'
import { startEmbedded } from '../../src/platform/postgres/supervisor.ts'

const [dataDir = '', kind, statement] = process.argv.slice(2)
const { target } = await startEmbedded({ dataDir, as: kind === 'command' ? 'command' : 'service' })
process.on('SIGINT', () => console.log('interrupted'))
console.log('ready')
if (statement !== undefined) await openDatabase(target, { max: 1 }).unsafe(statement)
