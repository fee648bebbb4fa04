import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import {
  type PictureBytes,
  pictureBytesMax,
  readPicture,
} from '../../warehouse/catalogue/picture-bytes.ts'
import type { Destination, EgressConnection } from '../webhooks/egress.ts'

/**
 * One download: one GET, which follows no redirect and is never repeated. It ends at the first byte that is too many, and
 * `timeoutMs` after it began in any case. What comes is a picture by what it is, whatever the answer calls it.
 */
export async function downloadPicture(destination: Destination): Promise<PictureBytes> {
  const picture = readPicture(await bytesAt(destination))
  if (picture === undefined) throw new Error('not a picture')
  return picture
}

function bytesAt({ take, path, timeoutMs }: Destination): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const connection = take()
    const exchange = new Download(connection, timeoutMs, resolve, reject)
    connection.client.dispatch({ path, method: 'GET', headers }, exchange)
  })
}

const headers = { accept: 'image/webp, image/jpeg, image/png', 'accept-encoding': 'identity' }

class Download implements Dispatcher.DispatchHandler {
  readonly #connection: EgressConnection
  readonly #done: (bytes: Buffer) => void
  readonly #fail: (error: Error) => void
  readonly #deadline: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #size = 0

  constructor(
    connection: EgressConnection,
    timeoutMs: number,
    done: (bytes: Buffer) => void,
    fail: (error: Error) => void,
  ) {
    this.#connection = connection
    this.#done = done
    this.#fail = fail
    this.#deadline = setTimeout(() => this.#end(new Error('too slow')), timeoutMs)
  }

  onRequestStart(): void {}

  onResponseStart(
    _: Dispatcher.DispatchController,
    statusCode: number,
    { 'content-length': length }: IncomingHttpHeaders,
  ): void {
    if (statusCode < 200) return
    if (statusCode !== 200) this.#end(new Error(`answered with ${statusCode}`))
    else if (Number(length ?? 0) > pictureBytesMax) this.#end(tooLarge())
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > pictureBytesMax) this.#end(tooLarge())
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#end(undefined)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(error)
  }

  /** The first end counts. Connections are not kept: a next picture is of another host or comes much later. */
  #end(error: Error | undefined): void {
    clearTimeout(this.#deadline)
    if (error === undefined) this.#done(Buffer.concat(this.#chunks))
    else this.#fail(error)
    this.#connection.drop(error ?? new Error('not kept'))
  }
}

function tooLarge(): Error {
  return new Error('too large')
}
