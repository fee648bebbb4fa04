import Type, { type TObject, type TProperties } from 'typebox'
import type { ServiceError } from '../../platform/kernel/errors.ts'

/** Fields that an answer lists at most. */
const fieldsMax = 50

const WrongField = Type.Object({
  path: Type.String({
    description:
      'Поле или параметр, например items[3].qty. В файле file.3.B — строка и столбец; file.3 — строка, ' +
      'в которой чего-то не хватает.',
  }),
  message: Type.String({ description: 'Что не так, без имени поля: текст для подписи под ним.' }),
})

const fields = Type.Optional(
  Type.Array(WrongField, {
    maxItems: fieldsMax,
    description: 'Поля, которые названы в message, если он о полях.',
  }),
)

/** The schema of every error of the public API, which is the specification's. */
export function errorSchema(codes: Readonly<Record<string, unknown>>): TObject {
  return schemaOf(codes, {})
}

/** The same for an API of our own pages: they show at each field what is wrong with it. */
export function errorSchemaWithFields(codes: Readonly<Record<string, unknown>>): TObject {
  return schemaOf(codes, { fields })
}

function schemaOf(codes: Readonly<Record<string, unknown>>, more: TProperties): TObject {
  return Type.Object(
    {
      error: Type.Object({
        code: Type.String({
          enum: Object.keys(codes),
          description: 'Код ошибки: по нему строят логику, он не меняется.',
        }),
        message: Type.String({ description: 'Что случилось, по-русски; текст может измениться.' }),
        ...more,
        request_id: Type.String({ description: 'То же, что в заголовке X-Request-Id.' }),
      }),
    },
    { $id: 'Error', description: 'Ошибка.' },
  )
}

export function errorEnvelope({ code, message }: ServiceError, requestId: string) {
  return { error: { code, message, request_id: requestId } }
}

/** The same for an API of our own pages. */
export function errorEnvelopeWithFields(error: ServiceError, requestId: string) {
  const { code, message, breaches } = error
  if (breaches.length === 0) return errorEnvelope(error, requestId)
  const fields = breaches.slice(0, fieldsMax).map(({ path, rule }) => ({ path, message: rule }))
  return { error: { code, message, fields, request_id: requestId } }
}
