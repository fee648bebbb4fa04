import { pauses } from '../../platform/concurrency/loop-turns.ts'
import { badRequest, ServiceError } from '../../platform/kernel/errors.ts'
import { fileBytesMax, type GoodsFile } from './goods.ts'

/** A file of the largest size inside a form. */
export const uploadBytesMax = fileBytesMax + 64 * 1024

const chunkBytes = 64 * 1024

const limits = {
  parts: 20,
  files: 10,
  fileSize: fileBytesMax + 1,
  fieldSize: 64 * 1024,
  headerPairs: 20,
  headerSize: 16 * 1024,
}

export interface Upload {
  readonly file: GoodsFile
  /** The other fields of the form, by name. */
  readonly texts: [field: string, text: string][]
}

interface Form extends Pick<Upload, 'texts'> {
  readonly files: GoodsFile[]
}

/**
 * The file of an upload: the body itself, or the only file of a multipart form, in any field.
 * Throws ServiceError bad_request.
 */
export async function readUpload(body: Buffer, contentType?: string): Promise<Upload> {
  if (!/^\s*multipart\//i.test(contentType ?? '')) {
    return { file: { bytes: body, contentType }, texts: [] }
  }
  if (!/^\s*multipart\/form-data\s*;.*\bboundary=/i.test(contentType ?? '')) {
    throw badRequest('Ожидается Content-Type: multipart/form-data с параметром boundary')
  }
  const { files, texts } = await readForm(body, contentType ?? '')
  const [file, other] = files
  if (file === undefined) throw badRequest('В форме нет файла: передайте его в поле file')
  if (other !== undefined) throw badRequest('В форме несколько файлов: оставьте один, в поле file')
  return { file, texts }
}

async function readForm(body: Buffer, contentType: string): Promise<Form> {
  const form = await openForm(contentType)
  const read: Form = { files: [], texts: [] }
  let failure: ServiceError | undefined
  form.on('field', (field, text) => read.texts.push([field, text]))
  form.on('file', (_field, stream, fileName, _encoding, type) => {
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.on('error', fail)
    stream.on('end', () => {
      const bytes = Buffer.concat(pieces)
      // A browser also sends a file field without a chosen file.
      const isChosen = fileName !== '' || bytes.length > 0
      if (isChosen) read.files.push({ bytes, contentType: type, fileName })
    })
  })
  const done = new Promise<void>((resolve) => form.on('finish', resolve).on('close', resolve))
  form.on('error', fail)
  form.on('partsLimit', tooMany)
  form.on('filesLimit', tooMany)
  await feed()
  if (failure !== undefined) throw failure
  return read

  /** The form parses each write at once, so it gets the body in chunks. */
  async function feed(): Promise<void> {
    const pause = pauses()
    for (let at = 0; at < body.length && failure === undefined; at += chunkBytes) {
      form.write(body.subarray(at, at + chunkBytes))
      await pause()
    }
    if (failure === undefined) form.end()
    else form.destroy()
    await done
  }
  function fail(cause: unknown): void {
    const message = 'Тело запроса не разобрано как multipart/form-data'
    failure ??= new ServiceError('bad_request', message, { cause })
  }
  function tooMany(): void {
    failure ??= badRequest(`В форме больше ${limits.parts} частей или ${limits.files} файлов`)
  }
}

async function openForm(contentType: string) {
  const { Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits,
      isPartAFile: (field, type, fileName) =>
        fileName !== undefined || field === 'file' || type === 'application/octet-stream',
    })
  } catch (error) {
    throw new ServiceError('bad_request', 'Заголовок Content-Type не разобран', { cause: error })
  }
}
