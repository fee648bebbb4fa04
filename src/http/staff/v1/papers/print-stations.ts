import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import { takePrintJob } from '../../../../documents/printing/jobs.ts'
import { findPrintJob, findStation, listStations } from '../../../../documents/printing/queries.ts'
import { printLeaseSeconds } from '../../../../documents/printing/state.ts'
import {
  addStation,
  changeStation,
  unknownStation,
} from '../../../../documents/printing/stations.ts'
import { PrintJob, PrintStation, printFormats } from '../../../../documents/printing/view.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { named, oneOfValues } from '../../../../platform/kernel/schema.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { oneOf, query, seconds, shortPages, text } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { ownScope, refuseOtherWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import type { IdParams } from '../storage/storage.ts'

const name = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '\\S',
  description: 'Название: по нему станцию узнают на складе.',
  examples: ['Упаковка 1'],
})
const formats = Type.Array(oneOfValues(printFormats, 'Этикетки 58 × 40 мм или документы A4.'), {
  minItems: 1,
  maxItems: printFormats.length,
  description: 'Что она печатает.',
})

export const PrintStationDraft = Type.Object(
  {
    warehouse_code: Type.String({
      maxLength: 100,
      description: 'Склад, где она стоит.',
      examples: ['MSK1'],
    }),
    name,
    formats,
  },
  { $id: 'PrintStationDraft', additionalProperties: false, description: 'Новая станция печати.' },
)
export const PrintStationPatch = Type.Object(
  {
    name: Type.Optional(name),
    formats: Type.Optional(formats),
    active: Type.Optional(
      Type.Boolean({
        description: 'false — новых заданий не получает; её задания ждут, пока её не откроют.',
      }),
    ),
  },
  { $id: 'PrintStationPatch', additionalProperties: false, description: 'Что изменить.' },
)
export const PrintStationPage = pageSchema(PrintStation, 'PrintStationPage', 'Страница станций.')
export const StationTab = Type.Object(
  {
    tab: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Номер вкладки: случайный текст, который страница придумала, когда открылась.',
      examples: ['7f2c0e6a'],
    }),
  },
  { $id: 'StationTab', additionalProperties: false, description: 'Кто просит задание.' },
)
export const NextPrintJob = Type.Object(
  {
    job: Type.Union([named(PrintJob), Type.Null()], {
      description: 'Задание, которое теперь печатает эта вкладка; null — печатать нечего.',
    }),
  },
  { $id: 'NextPrintJob', description: 'Следующее задание станции.' },
)

export const printStationsQuery = query({
  warehouse_code: text({ description: 'Станции одного склада; без него — всех.' }),
  active: oneOf(['true', 'false'], { description: 'Только открытые или только закрытые.' }),
  ...shortPages,
})
const takeQuery = query({
  wait: seconds({ max: 25, description: 'Сколько секунд ждать задания, если его нет.' }),
})
const stationParams = { id: 'Идентификатор станции.' }
const manager = { role: 'manager' } as const
/** A station prints without a person, too. */
const station = { devices: ['STATION'] } as const

export function addPrintStations(app: FastifyInstance, dependencies: StaffDependencies): void {
  addStationList(app, dependencies)
  addStationMaking(app, dependencies)
  addStationChange(app, dependencies)
  addTaking(app, dependencies)
}

function addStationList(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listPrintStations',
    tag: 'Бумаги',
    summary: 'Станции печати',
    description: 'Компьютеры с принтерами; новые первыми.',
    query: printStationsQuery,
    answers: { 200: { description: 'Страница.', schema: named(PrintStationPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/print-stations', { schema, config: station }, async (request) => {
    const { limit, cursor, ...filter } = printStationsQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'print-stations', { limit, cursor }, filter)
    return list.answer(await listStations(db, { ...filter, ...ownScope(request) }, list.request))
  })

  const oneSchema = staffOperation({
    id: 'getPrintStation',
    tag: 'Бумаги',
    summary: 'Одна станция печати',
    description: 'Что она печатает, сколько заданий ждёт и когда была на связи.',
    params: stationParams,
    answers: { 200: { description: 'Станция.', schema: named(PrintStation) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/print-stations/:id', { schema: oneSchema }, async (request) =>
    found(await findStation(db, request.params.id)),
  )
}

function addStationMaking(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'createPrintStation',
    tag: 'Бумаги',
    summary: 'Завести станцию печати',
    description: 'Названия станций одного склада разные.',
    body: PrintStationDraft,
    answers: { 201: { description: 'Заведена.', schema: named(PrintStation) } },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  app.post('/print-stations', { schema, config: manager }, async (request, reply) => {
    const draft = bodyOf(PrintStationDraft, request)
    refuseOtherWarehouse(request, draft.warehouse_code)
    const station = await change(dependencies, request, {}, async (work) => {
      const id = await addStation(work, { ...draft, name: draft.name.trim() })
      const after = found(await findStation(work.tx, id))
      return { answer: after, made: { objectId: id, after } }
    })
    return reply.code(201).send(station)
  })
}

function addStationChange(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'changePrintStation',
    tag: 'Бумаги',
    summary: 'Изменить станцию печати',
    description: 'Название, что она печатает, закрыть или открыть.',
    params: stationParams,
    body: PrintStationPatch,
    answers: { 200: { description: 'Как стало.', schema: named(PrintStation) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.patch<IdParams>('/print-stations/:id', { schema, config: manager }, async (request) => {
    const { name, ...patch } = bodyOf(PrintStationPatch, request)
    const { id } = found(await findStation(dependencies.db, request.params.id))
    const look = ({ tx }: Work) => findStation(tx, id)
    return change(dependencies, request, { objectId: id, look }, async (work) => {
      const changed = await changeStation(work, id, { ...patch, name: name?.trim() })
      return { answer: found(await findStation(work.tx, id)), changed }
    })
  })
}

function addTaking(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'takePrintJob',
    tag: 'Бумаги',
    summary: 'Взять задание печати',
    description:
      `Вызывает страница станции: получает самое давнее задание и печатает его ${printLeaseSeconds} секунд; если не ` +
      'сообщит об итоге и не продлит, его возьмёт другая вкладка. Вкладка, которая уже печатает, получает то ' +
      'же задание. Если печатать нечего, ждёт до wait секунд.',
    params: stationParams,
    query: takeQuery,
    body: StationTab,
    answers: { 200: { description: 'Задание или null.', schema: named(NextPrintJob) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<IdParams>(
    '/print-stations/:id/take',
    { schema, config: station },
    async (request, reply) => {
      const { wait } = takeQuery.parse(rawQuery(request))
      const { tab } = bodyOf(StationTab, request)
      const station = await findStation(db, request.params.id)
      if (station === undefined) throw unknownStation()
      const take = () =>
        change(dependencies, request, {}, async (work) => {
          const taken = await takePrintJob(work, station.id, tab)
          const job = taken && found(await findPrintJob(work.tx, taken.id))
          const made = job === undefined ? {} : { objectId: job.id, after: job }
          return { answer: job, made, changed: taken?.isNew === true }
        })
      const wanted = { warehouse: station.warehouse_code, tab, waitMs: wait * 1000 }
      const job = await waitForJob(dependencies, reply, wanted, take)
      return { job: job ?? null }
    },
  )
}

interface JobWait {
  readonly warehouse: string
  readonly tab: string
  readonly waitMs: number
}

/** Takes a job, and waits for one where there is none; it looks whenever a job may have come. */
async function waitForJob(
  { clock, printPolls }: StaffDependencies,
  reply: FastifyReply,
  { warehouse, tab, waitMs }: JobWait,
  take: () => Promise<PrintJob | undefined>,
): Promise<PrintJob | undefined> {
  if (waitMs === 0) return take()
  const poll = printPolls.enter(warehouse, tab)
  if (poll === undefined) return take()
  reply.raw.once('close', () => poll.end())
  const end = clock.now() + waitMs
  try {
    for (let isOver = false; ; ) {
      poll.look()
      const job = await take()
      if (job !== undefined || poll.isEnded || isOver) return job
      isOver = !(await poll.wait(end - clock.now()))
      // Whoever asked is gone and would not print it.
      if (poll.isEnded) return undefined
    }
  } finally {
    poll.leave()
  }
}
