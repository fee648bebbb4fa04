import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, invalidField, notFound } from '../../platform/kernel/errors.ts'
import { isId, newId } from '../../platform/kernel/ids.ts'
import type { PrintFormat } from './view.ts'

/** Print stations: the computers with printers of a warehouse. This file alone writes them. */

export interface StationDraft {
  readonly warehouse_code: string
  readonly name: string
  readonly formats: readonly PrintFormat[]
}

/** Throws validation_error for an unknown warehouse, and conflict for a name that the warehouse has. */
export async function addStation(
  { tx, at }: Work,
  { warehouse_code, name, formats }: StationDraft,
): Promise<string> {
  const [known] = await tx`select code from warehouses where code = ${warehouse_code}`
  if (known === undefined) throw invalidField('warehouse_code', 'такого склада нет')
  const id = newId()
  const added = await tx`
    insert into print_stations (id, warehouse_code, name, formats, created_at)
    values (${id}, ${warehouse_code}, ${name}, ${sorted(formats)}, ${at})
    on conflict do nothing returning id`
  if (added.length === 0) throw nameTaken(name)
  return id
}

export interface StationPatch {
  readonly name?: string | undefined
  readonly formats?: readonly PrintFormat[] | undefined
  readonly active?: boolean | undefined
}

/** Returns false where nothing differs. Throws not_found, and conflict for a name that the warehouse has. */
export async function changeStation(
  { tx }: Work,
  id: string,
  patch: StationPatch,
): Promise<boolean> {
  const [old] = await tx<Station[]>`
    select id, warehouse_code, name, formats, active from print_stations
    where id = ${id} for no key update`
  if (old === undefined) throw unknownStation()
  const name = patch.name ?? old.name
  const formats = patch.formats === undefined ? old.formats : sorted(patch.formats)
  const active = patch.active ?? old.active
  if (name === old.name && active === old.active && formats.join() === old.formats.join()) {
    return false
  }
  const [same] = await tx`
    select id from print_stations
    where warehouse_code = ${old.warehouse_code} and name = ${name} and id <> ${id}`
  if (same !== undefined) throw nameTaken(name)
  await tx`
    update print_stations set name = ${name}, formats = ${[...formats]}, active = ${active}
    where id = ${id}`
  return true
}

export interface Station {
  readonly id: string
  readonly warehouse_code: string
  readonly name: string
  readonly formats: readonly PrintFormat[]
  readonly active: boolean
}

const seenEveryMs = 60_000

/** Locks the station that asks for a job, so that its pages take one after the other. Throws not_found, conflict. */
export async function lockAskingStation({ tx, at, now }: Work, id: string): Promise<Station> {
  const [station] = await tx<(Station & { seen_at: string | null })[]>`
    select id, warehouse_code, name, formats, active, seen_at from print_stations
    where id = ${id} for no key update`
  if (station === undefined) throw unknownStation()
  if (!station.active) throw stationClosed(station.name)
  if (station.seen_at === null || now - Date.parse(station.seen_at) >= seenEveryMs) {
    await tx`update print_stations set seen_at = ${at} where id = ${id}`
  }
  return station
}

/** The station that a job names. Throws validation_error, and conflict for one that is closed or cannot print it. */
export async function stationForJob(
  db: Queryable,
  id: string,
  job: { readonly warehouse: string; readonly format: PrintFormat },
): Promise<Station> {
  const [station] = isId(id)
    ? await db<Station[]>`
        select id, warehouse_code, name, formats, active from print_stations
          where id = ${id} and warehouse_code = ${job.warehouse}`
    : []
  if (station === undefined) {
    throw invalidField('station_id', `на складе ${job.warehouse} такой станции печати нет`)
  }
  const { name } = station
  if (!station.active) throw stationClosed(name)
  if (!station.formats.includes(job.format)) {
    throw conflict(`Станция «${name}» не печатает ${formatNames[job.format]}: выберите другую`)
  }
  return station
}

/** Throws conflict where the warehouse has no station for the format. */
export async function refuseWithoutStation(
  db: Queryable,
  { warehouse, format }: { readonly warehouse: string; readonly format: PrintFormat },
): Promise<void> {
  const [station] = await db`
    select id from print_stations
    where warehouse_code = ${warehouse} and active and ${format} = any(formats) limit 1`
  if (station !== undefined) return
  throw conflict(
    `На складе ${warehouse} нет станции, которая печатает ${formatNames[format]}: попросите менеджера завести её`,
  )
}

const formatNames: Readonly<Record<PrintFormat, string>> = {
  '58x40': 'этикетки 58 × 40 мм',
  A4: 'документы A4',
}

function sorted(formats: readonly PrintFormat[]): PrintFormat[] {
  return [...new Set(formats)].sort()
}

export function unknownStation(): Error {
  return notFound('Станция печати не найдена')
}

function stationClosed(name: string): Error {
  return conflict(`Станция «${name}» закрыта: откройте её или выберите другую`)
}

function nameTaken(name: string): Error {
  return conflict(`Станция «${name}» на этом складе уже есть`)
}
