import type { FastifyInstance } from 'fastify'
import Type, { type Static, type TOptional, type TUnsafe } from 'typebox'
import { refuseWhileEnding } from '../../../../exchange/marketplaces/coordination/request-command.ts'
import type { Work } from '../../../../platform/db/work.ts'
import {
  type MarkingCode,
  readMarkingCode,
} from '../../../../platform/kernel/codes/marking-code.ts'
import {
  absentMarkKinds,
  type GivenMarkKind,
  type GivenMarks,
  givenMarkKinds,
  markLengthMax,
  markTitles,
  readMark,
} from '../../../../platform/kernel/codes/unit-mark.ts'
import { invalidField } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { addMarks } from '../../../../warehouse/picking/add-marks.ts'
import { findPick, ownerOfPickingTask } from '../../../../warehouse/picking/queries.ts'
import { PickResult } from '../../../../warehouse/picking/view.ts'
import { found } from '../../../route/list.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'

/** What a worker gives of a unit beside its marking code; null: the unit has none. */
export const MarksDraft = Type.Object(
  Object.fromEntries(givenMarkKinds.map((kind) => [kind, Type.Optional(givenMark(kind))])) as {
    [Kind in GivenMarkKind]: TOptional<TUnsafe<string | null>>
  },
  {
    additionalProperties: false,
    description: 'Что ещё указать о единице: чего требует маркетплейс (required_marks строки).',
  },
)

function givenMark(kind: GivenMarkKind): TUnsafe<string | null> {
  const description = markTitles[kind]
  const text = { type: 'string', minLength: 1, maxLength: markLengthMax, description } as const
  if (!absentMarkKinds.includes(kind)) return Type.Unsafe<string | null>(text)
  const absent = `${description}; null: у товара его нет (только OZON).`
  return Type.Unsafe<string | null>({ ...text, type: ['string', 'null'], description: absent })
}

export const UnitMarksDraft = Type.Object(
  {
    ...MarksDraft.properties,
    marking_code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'Код маркировки единицы, если его не сканировали.',
      }),
    ),
  },
  {
    $id: 'UnitMarksDraft',
    additionalProperties: false,
    description: 'Что указать о собранной единице.',
  },
)
/** Throws validation_error with the path of the first mark that is not well formed. */
export function marksOf(given: Static<typeof MarksDraft>): GivenMarks {
  const marks: Partial<Record<GivenMarkKind, string | null>> = {}
  for (const kind of givenMarkKinds) {
    const text = given[kind]
    if (text === undefined) continue
    marks[kind] = text === null ? null : markOf(kind, text)
  }
  return marks
}

function markOf(kind: GivenMarkKind, text: string): string {
  const reading = readMark(kind, text)
  if (!reading.ok) throw invalidField(`marks.${kind}`, reading.problem)
  return reading.value
}

export function addMarksOfPicks(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'setMarks',
    tag: 'Сборка',
    summary: 'Указать недостающее о собранной единице',
    description:
      'Если маркетплейс потребовал этого уже после сборки, или в указанном ошибка. Что не названо, ' +
      'остаётся; повтор ничего не меняет. Пока отгрузка открыта.',
    params: { id: 'Идентификатор задания.', scan_id: 'Номер скана единицы.' },
    body: UnitMarksDraft,
    answers: { 200: { description: 'Указано.', schema: named(PickResult) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.put<{ Params: { id: string; scan_id: string } }>(
    '/picking-tasks/:id/picks/:scan_id/marks',
    { schema },
    async (request) => {
      const { marking_code: code, ...given } = bodyOf(UnitMarksDraft, request)
      const { id, scan_id: scanId } = request.params
      const unit = {
        scanId,
        marks: marksOf(given),
        ...(code === undefined ? {} : { markingCode: markingCodeOf(code) }),
      }
      const clientId = await ownerOfPickingTask(dependencies.db, id)
      const look = ({ tx }: Work) => findPick(tx, clientId, id, scanId)
      return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
        const changed = await addMarks(work, clientId, id, unit, refuseWhileEnding)
        const pick = found(await look(work))
        return { answer: { ...pick, repeated: !changed }, changed }
      })
    },
  )
}

/** Throws validation_error for a text that is no marking code. */
export function markingCodeOf(text: string): MarkingCode {
  const read = readMarkingCode(text)
  if (!read.ok) throw invalidField('marking_code', read.problem)
  return read
}
