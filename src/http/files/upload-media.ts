import Type, { type TObject } from 'typebox'

const file = Type.String({ contentMediaType: 'application/octet-stream' })

/** A table that a caller sends: as the body, or as the file of a form with these texts beside it. */
export function uploadMedia(texts: TObject['properties'] = {}) {
  return {
    'text/csv': Type.String(),
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': file,
    'multipart/form-data': Type.Object({ file, ...texts }),
  }
}
