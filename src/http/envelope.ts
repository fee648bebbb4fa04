import Type, { type TObject } from 'typebox'
import type { ServiceError } from '../kernel/errors.ts'

/** The schema of every error of an API with these codes. */
export function errorSchema(codes: Readonly<Record<string, unknown>>): TObject {
  return Type.Object(
    {
      error: Type.Object({
        code: Type.String({
          enum: Object.keys(codes),
          description: 'Код ошибки: по нему строят логику, он не меняется.',
        }),
        message: Type.String({ description: 'Что случилось, по-русски; текст может измениться.' }),
        request_id: Type.String({ description: 'То же, что в заголовке X-Request-Id.' }),
      }),
    },
    { $id: 'Error', description: 'Ошибка.' },
  )
}

export function errorEnvelope(error: ServiceError, requestId: string) {
  return { error: { code: error.code, message: error.message, request_id: requestId } }
}
