import { readArguments } from './arguments.ts'
import { barcodeOf, fillWarehouse, numberOf, ssccOf, type WarehouseSize } from './fill-warehouse.ts'
import { quantile } from './measure.ts'
import { addManager, openPlace, type Place } from './place.ts'
import { startService } from './processes.ts'
import { databaseServerPid, withProcessorTime } from './processor-time.ts'
import { publish, runLine, show, table } from './report.ts'

/** What the people of a large warehouse read all day, one request at a time. */

const usage = `node bench/warehouse.ts [options]

  --clients N   clients of the warehouse (1000)
  --orders N    orders of all clients together (1000000); 1 KB of disk an order
  --boxes N     boxes on the shelves (100000)
  --rounds N    how often each request is timed (100)
  --only TEXT   only requests whose name contains the text
  --data DIR    keep the data there and reuse it
  --out DIR     directory of the results (bench/results)
  --no-out      print the results only
  --smoke       a small warehouse, a few rounds; print only
`

const given = readArguments(process.argv.slice(2), usage, [
  ...['clients', 'orders', 'boxes', 'rounds', 'only', 'data'],
] as const)
const size: WarehouseSize = {
  clients: given.number('clients', { usual: 1_000, smoke: 10, least: 1, whole: true }),
  orders: given.number('orders', { usual: 1_000_000, smoke: 5_000, least: 1_000, whole: true }),
  boxes: given.number('boxes', { usual: 100_000, smoke: 200, least: 50, whole: true }),
}
const rounds = given.number('rounds', { usual: 100, smoke: 3, least: 1, whole: true })

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

const paths: Readonly<Record<string, (n: number) => string>> = {
  today: () => '/today',
  'look-up, barcode of every client': (n) => `/lookup?code=${barcodeOf(n % 50)}`,
  'look-up, order': (n) => `/lookup?code=${numberOf(1 + ((n * 7_919) % size.orders))}`,
  'look-up, box': (n) => `/lookup?code=${ssccOf(1 + ((n * 7_919) % size.boxes))}`,
  'look-up, location': (n) => `/lookup?code=A-${1 + (n % 50)}`,
  'look-up, unknown code': (n) => `/lookup?code=4690000${n}`,
  'orders, page of 100': () => '/orders?limit=100',
  'orders that wait, page of 100': () => '/orders?limit=100&status=NEW',
  'figures of now': () => '/figures/now',
  'flow of 30 days': () => `/figures/flow?from=${daysAgo(30)}&to=${daysAgo(0)}&step=day`,
  'shifts of a day': () => `/shifts?from=${daysAgo(1)}&to=${daysAgo(0)}`,
  'receipts, page of 100': () => '/receipts?limit=100',
  'shipments, page of 100': () => '/shipments?limit=100',
  'picking tasks, page of 100': () => '/picking-tasks?limit=100',
  'open picking tasks, page of 100': () => '/picking-tasks?limit=100&status=OPEN',
  'counts, page of 100': () => '/counts?limit=100',
  'open counts, page of 100': () => '/counts?limit=100&status=COUNTING',
  'returns, page of 100': () => '/returns?limit=100',
  'expected returns, page of 100': () => '/expected-returns?limit=100',
  'boxes, page of 100': () => '/boxes?limit=100',
  'clients, page of 100': () => '/clients?limit=100',
}

interface Figures {
  readonly p50: number
  readonly p99: number
  readonly serviceMs: number
  readonly databaseMs: number
}

await using place = await openPlace(given.text.data)
publish(given.resultsDir, 'warehouse', describe(await measureAll(place)))

async function measureAll({ dataDir, db }: Place): Promise<Readonly<Record<string, Figures>>> {
  const [filled] = await db`select from clients where mode = 'live' limit 1`
  if (filled === undefined) await fillWarehouse(db, size)
  console.error('the warehouse is filled')
  await using open = new AsyncDisposableStack()
  const service = await startService(dataDir, undefined, { SANDBOX_ROBOT: 'off' })
  open.defer(service.stop)
  const token = await addManager(db)
  const pids = { server: service.pid, database: await databaseServerPid(db) }
  const figures: Record<string, Figures> = {}
  for (const [name, path] of Object.entries(paths)) {
    if (!name.includes(given.text.only ?? '')) continue
    figures[name] = await measure((n) => read(`${service.url}/staff/v1${path(n)}`, token), pids)
  }
  return figures
}

async function read(url: string, token: string): Promise<void> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 500)}`)
}

async function measure(
  request: (n: number) => Promise<void>,
  pids: { readonly server: number; readonly database: number },
): Promise<Figures> {
  for (let n = 0; n < 3; n += 1) await request(n)
  const times: number[] = []
  const { processorMsPerRequest, databaseMsPerRequest } = await withProcessorTime(
    pids,
    async () => {
      for (let n = 0; n < rounds; n += 1) {
        const began = performance.now()
        await request(n)
        times.push(performance.now() - began)
      }
      return { requests: rounds }
    },
  )
  const sorted = times.toSorted((a, b) => a - b)
  return {
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    serviceMs: processorMsPerRequest,
    databaseMs: databaseMsPerRequest,
  }
}

function describe(figures: Readonly<Record<string, Figures>>): string {
  const rows = Object.entries(figures).map(([name, { p50, p99, serviceMs, databaseMs }]) => [
    name,
    ...[p50, p99, serviceMs, databaseMs].map(show),
  ])
  const counted = (n: number) => n.toLocaleString('en')
  return [
    `# A large warehouse, ${new Date().toISOString().slice(0, 10)}`,
    runLine(),
    `${counted(size.clients)} clients, ${counted(size.orders)} orders, ${counted(size.boxes)} boxes. ${rounds} requests ` +
      'of a manager who sees all of it, one at a time, in ms; the last columns are processor time a request.',
    table(['', 'p50', 'p99', 'service', 'database'], rows),
  ].join('\n\n')
}
