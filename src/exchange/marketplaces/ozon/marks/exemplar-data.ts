import { GS } from '../../../../platform/kernel/codes/gs1.ts'
import type { MarkKind } from '../../../../warehouse/orders/fact-kinds.ts'
import { type Fields, flagOf, listOrNone, textOf, textOrNone } from '../../calls/response-fields.ts'
import type { ShippedUnit } from '../../connector.ts'
import { ozonId } from '../client.ts'

/**
 * What OZON stores of a unit of a product, which it calls an exemplar. A change sends all data of all
 * exemplars of a posting. Marking code, UIN and IMEI are exactly those of the picked unit. A declaration,
 * RNPT or weight that nobody gave here stays as it is: the seller may have entered it in the cabinet.
 */

/** Marks in the list of an exemplar, each with its type. */
const listed = [
  {
    kind: 'marking_code',
    type: 'mandatory_mark',
    needed: 'is_mandatory_mark_needed',
    possible: 'is_mandatory_mark_possible',
  },
  { kind: 'uin', type: 'jw_uin', needed: 'is_jw_uin_needed', possible: undefined },
  { kind: 'imei', type: 'imei', needed: 'has_imei', possible: undefined },
] as const

/** Numbers that a unit may truly lack, which OZON wants to be said. */
const declared = [
  {
    kind: 'customs_declaration',
    field: 'gtd',
    absent: 'is_gtd_absent',
    needed: 'is_gtd_needed',
  },
  { kind: 'rnpt', field: 'rnpt', absent: 'is_rnpt_absent', needed: 'is_rnpt_needed' },
] as const

const weightNeeded = 'is_weight_needed'

const neededFlags: readonly (readonly [MarkKind, string])[] = [
  ...[...listed, ...declared].map(({ kind, needed }) => [kind, needed] as const),
  ['weight', weightNeeded],
]

const kindByType = new Map<string, MarkKind>(listed.map(({ type, kind }) => [type, kind]))
const mandatory = listed[0].type

export function skuOf(product: Fields): string {
  return textOf(product, 'product_id')
}

export function neededKinds(product: Fields): MarkKind[] {
  return neededFlags.flatMap(([kind, flag]) => (flagOf(product, flag) ? kind : []))
}

/** Whether OZON stores data of the product's units. */
export function takesData(product: Fields): boolean {
  return (
    neededKinds(product).length > 0 ||
    listed.some(({ possible }) => possible !== undefined && flagOf(product, possible))
  )
}

/** Exemplars of a product with the unit that each of them is; some have none. */
export interface PairedExemplar {
  readonly exemplar: Fields
  readonly unit: ShippedUnit | undefined
}

/**
 * Pairs units with exemplars. A unit keeps the exemplar that has its marks already, so that a repeat
 * changes nothing. Undefined if there are more units than exemplars.
 */
export function pairUnits(
  product: Fields,
  units: readonly ShippedUnit[],
): PairedExemplar[] | undefined {
  const exemplars = listOrNone(product, 'exemplars')
  if (units.length > exemplars.length) return undefined
  const paired = new Map<Fields, ShippedUnit>()
  const rest: ShippedUnit[] = []
  for (const unit of units) {
    const own = exemplars.find((each) => !paired.has(each) && holdsMarkOf(each, unit))
    if (own === undefined) rest.push(unit)
    else paired.set(own, unit)
  }
  return exemplars.map((exemplar) => ({
    exemplar,
    unit: paired.get(exemplar) ?? rest.shift(),
  }))
}

function holdsMarkOf(exemplar: Fields, unit: ShippedUnit): boolean {
  const own = listed.flatMap(({ kind }) => markOf(unit, kind) ?? [])
  return listOrNone(exemplar, 'marks').some((mark) => own.includes(textOf(mark, 'mark')))
}

function markOf(unit: ShippedUnit | undefined, kind: (typeof listed)[number]['kind']) {
  return kind === 'marking_code' ? unit?.markingCode : unit?.marks[kind]
}

/** The data of an exemplar as `set` takes it. */
export function exemplarData(product: Fields, { exemplar, unit }: PairedExemplar): Fields {
  return {
    exemplar_id: ozonId(textOf(exemplar, 'exemplar_id')),
    ...Object.fromEntries(declared.flatMap((each) => declaredData(product, exemplar, unit, each))),
    ...weightData(product, exemplar, unit),
    marks: listedMarks(product, exemplar, unit),
  }
}

function listedMarks(product: Fields, exemplar: Fields, unit: ShippedUnit | undefined): Fields[] {
  const others = listOrNone(exemplar, 'marks')
    .map((mark) => ({
      mark: textOf(mark, 'mark'),
      mark_type: textOrNone(mark, 'mark_type') ?? mandatory,
    }))
    .filter(({ mark_type }) => !kindByType.has(mark_type))
  const own = listed.flatMap(({ kind, type, needed, possible }) => {
    const isTaken = flagOf(product, needed) || (possible !== undefined && flagOf(product, possible))
    const mark = markOf(unit, kind)
    return isTaken && mark != null ? { mark, mark_type: type } : []
  })
  return [...others, ...own]
}

function declaredData(
  product: Fields,
  exemplar: Fields,
  unit: ShippedUnit | undefined,
  { kind, field, absent, needed }: (typeof declared)[number],
): (readonly [string, unknown])[] {
  const given = unit?.marks[kind]
  if (flagOf(product, needed) && given !== undefined) {
    return [
      [field, given ?? ''],
      [absent, given === null],
    ]
  }
  return [field, absent].flatMap((name) =>
    exemplar[name] == null ? [] : [[name, exemplar[name]] as const],
  )
}

const gramsInKilogram = 1000

/** OZON weighs in kilograms. */
function weightData(product: Fields, exemplar: Fields, unit: ShippedUnit | undefined): Fields {
  const given = unit?.marks.weight
  if (flagOf(product, weightNeeded) && given != null) {
    return { weight: Number(given) / gramsInKilogram }
  }
  return exemplar.weight == null ? {} : { weight: exemplar.weight }
}

/** Whether OZON has exactly this data of an exemplar. */
export function isStored(exemplar: Fields, data: Fields): boolean {
  return comparable(exemplar) === comparable(data)
}

function comparable(data: Fields): string {
  const marks = listOrNone(data, 'marks').map((mark) => [
    textOrNone(mark, 'mark_type') ?? mandatory,
    textOf(mark, 'mark'),
  ])
  const numbers = declared.map(({ field, absent }) => [
    textOrNone(data, field),
    flagOf(data, absent),
  ])
  return JSON.stringify([marks.toSorted(), numbers, Number(data.weight ?? 0)])
}

/** The kinds that OZON needs of a product's units and that this data lacks. */
export function lackingKinds(product: Fields, exemplars: readonly Fields[]): MarkKind[] {
  return neededKinds(product).filter((kind) => exemplars.some((data) => lacks(data, kind)))
}

function lacks(data: Fields, kind: MarkKind): boolean {
  if (kind === 'weight') return !(Number(data.weight) > 0)
  const number = declared.find((each) => each.kind === kind)
  if (number !== undefined) {
    return textOrNone(data, number.field) === undefined && !flagOf(data, number.absent)
  }
  return !listOrNone(data, 'marks').some((mark) => kindOfMark(mark) === kind)
}

function kindOfMark(mark: Fields): MarkKind | undefined {
  return kindByType.get(textOrNone(mark, 'mark_type') ?? mandatory)
}

/** A mark that OZON has checked and refused. */
export interface RefusedMark {
  /** Undefined: of a kind that we don't know. */
  readonly kind: MarkKind | undefined
  readonly value: string | undefined
  /** At least one: a check that failed without a code had no time (hadNoTime). */
  readonly codes: readonly string[]
}

/** The exemplars of all products. */
export function exemplarsIn(response: Fields): readonly Fields[] {
  return listOrNone(response, 'products').flatMap((product) => listOrNone(product, 'exemplars'))
}

/** The marks in the list of an exemplar as `set` and `validate` take them. */
export function marksOfUnit(product: Fields, unit: ShippedUnit): Fields[] {
  return listedMarks(product, {}, unit)
}

/** The data of an exemplar, as `set` takes it. */
export interface SentExemplar {
  readonly id: string
  readonly data: Fields
}

/**
 * Whether OZON shows each of these exemplars, as they were sent, with all marks passed. A status may lack exemplars, and
 * one that it lacks is not checked yet, whatever the status says of the posting.
 */
export function arePassed(status: Fields, sent: readonly SentExemplar[]): boolean {
  const shown = new Map(exemplarsIn(status).map((one) => [textOrNone(one, 'exemplar_id'), one]))
  const checked = sent.filter(({ data }) => isChecked(data))
  return checked.every(({ id, data }) => {
    const found = shown.get(id)
    if (found === undefined) return false
    const passed = listOrNone(found, 'marks').filter(isPassed)
    return listOrNone(data, 'marks').every((mark) =>
      passed.some((each) => plainMark(each) === plainMark(mark)),
    )
  })
}

/** Whether OZON has anything to check of an exemplar. */
function isChecked(data: Fields): boolean {
  const isDeclared = declared.some(({ field }) => textOrNone(data, field) !== undefined)
  return isDeclared || listOrNone(data, 'marks').length > 0 || Number(data.weight) > 0
}

function isPassed(mark: Fields): boolean {
  return textOrNone(mark, 'check_status') === 'passed'
}

/** Marks may come back without separators. */
function plainMark(mark: Fields): string | undefined {
  return textOrNone(mark, 'mark')?.replaceAll(GS, '')
}

/** Whether OZON shows a mark that has neither passed nor failed yet. */
export function hasOpenMarks(status: Fields): boolean {
  const marks = exemplarsIn(status).flatMap((exemplar) => listOrNone(exemplar, 'marks'))
  const states = marks.flatMap((mark) => textOrNone(mark, 'check_status') ?? [])
  return states.some((state) => state !== 'passed' && state !== 'failed')
}

/** What OZON found wrong with the marks of all exemplars. */
export function refusedMarks(status: Fields): RefusedMark[] {
  return checksIn(status).filter(({ codes }) => codes.length > 0)
}

/** Whether a check failed without a code: OZON had no time for it and says nothing of the mark, which is to be sent again. */
export function hadNoTime(status: Fields): boolean {
  return checksIn(status).some(({ isFailed, codes }) => isFailed && codes.length === 0)
}

interface Check extends RefusedMark {
  readonly isFailed: boolean
}

/** Reads what OZON says of each exemplar after it has checked it. */
function checksIn(status: Fields): Check[] {
  return exemplarsIn(status).flatMap((exemplar) => [
    ...listOrNone(exemplar, 'marks').map((mark) =>
      checkIn(mark, '', kindOfMark(mark), textOrNone(mark, 'mark')),
    ),
    ...declared.map(({ kind, field }) =>
      checkIn(exemplar, `${field}_`, kind, textOrNone(exemplar, field)),
    ),
    checkIn(exemplar, 'weight_', 'weight', textOrNone(exemplar, 'weight')),
  ])
}

function checkIn(
  fields: Fields,
  prefix: string,
  kind: MarkKind | undefined,
  value: string | undefined,
): Check {
  const errors = fields[`${prefix}error_codes`]
  const codes = Array.isArray(errors) ? errors.map(String) : []
  return { kind, value, codes, isFailed: textOrNone(fields, `${prefix}check_status`) === 'failed' }
}
