import type { FastifyRequest } from 'fastify'
import Type, { type TObject } from 'typebox'
import type { GoodsFile } from '../../documents/imports/goods.ts'
import { readUpload } from '../../documents/imports/multipart.ts'
import { bytesOf } from '../route/body.ts'
import { rawQuery } from '../route/list.ts'
import type { QueryReader } from '../route/query.ts'

const file = Type.String({ contentMediaType: 'application/octet-stream' })

/** A table that a caller sends: as the body, or as the file of a form with these texts beside it. */
export function uploadMedia(texts: TObject['properties'] = {}) {
  return {
    'text/csv': Type.String(),
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': file,
    'multipart/form-data': Type.Object({ file, ...texts }),
  }
}

export interface GivenUpload<Given> {
  readonly file: GoodsFile
  readonly given: Given
}

/** The file of a request, and what is said of it in the address or, where it is not there, in the form. */
export async function uploadOf<Given extends object>(
  request: FastifyRequest,
  said: QueryReader<Given>,
): Promise<GivenUpload<Given>> {
  const inAddress = said.parse(rawQuery(request))
  const { file, texts } = await readUpload(bytesOf(request), request.bodyType)
  const inForm = said.parse(new URLSearchParams(texts).toString())
  const named = Object.entries(inAddress).filter(([, value]) => value !== undefined)
  return { file, given: { ...inForm, ...Object.fromEntries(named) } }
}
