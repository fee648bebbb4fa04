import Type, { type Static } from 'typebox'
import { type ApiError, publicErrors } from '../kernel/errors.ts'

export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: Type.String({
        enum: Object.keys(publicErrors),
        description: 'Код ошибки: по нему строят логику, он не меняется.',
      }),
      message: Type.String({ description: 'Что случилось, по-русски; текст может измениться.' }),
      request_id: Type.String({ description: 'То же, что в заголовке X-Request-Id.' }),
    }),
  },
  { $id: 'Error', description: 'Ошибка.' },
)
export type ErrorEnvelope = Static<typeof ErrorEnvelope>

export function errorEnvelope(error: ApiError, requestId: string): ErrorEnvelope {
  return { error: { code: error.code, message: error.message, request_id: requestId } }
}
