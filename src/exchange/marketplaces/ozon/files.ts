import { type CallsOptions, openCalls, type RawResponse } from '../calls/calls.ts'
import { isFailure, MarketplaceError } from '../calls/failure.ts'
import { type Fields, fieldsOf, malformed, partOf, textOrNone } from '../calls/response-fields.ts'
import type { Sticker } from '../connector.ts'

/** OZON serves files from these hosts and their subdomains. */
const fileHosts = ['ozon.ru', 'ozone.ru', 'ozonusercontent.com']

/** Whether an address belongs to OZON: the origin of the API, or a file host over HTTPS. */
export function isOzonAddress(address: URL, baseUrl: string): boolean {
  if (address.origin === new URL(baseUrl).origin) return true
  const { protocol, port, hostname } = address
  const isFileHost = fileHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  return protocol === 'https:' && port === '' && isFileHost
}

/** A file that OZON sends in a response, or at an address that a response names. */
export interface OzonFile {
  readonly bytes: Buffer
  /** The type that the response names; it may be wrong. */
  readonly contentType: string
}

/** Extracts a file from a response: its body, or a JSON field with base64 or binary text. */
export function fileIn({ bytes, contentType }: RawResponse): OzonFile {
  return { bytes: isJson({ contentType }) ? fileContentIn(bytes) : bytes, contentType }
}

function isJson({ contentType }: Pick<RawResponse, 'contentType'>): boolean {
  return /\bjson\b/i.test(contentType)
}

/** The address of a file, where the response has the address instead of the file. */
export function fileAddressOf(response: RawResponse): string | undefined {
  if (!isJson(response)) return undefined
  const fields = jsonFields(response.bytes)
  return fields === undefined ? undefined : textOrNone(fields, 'file_url')
}

function jsonFields(json: Buffer): Fields | undefined {
  try {
    const fields = fieldsOf(JSON.parse(json.toString('utf8')), 'ответ')
    return { ...fields, ...partOf(fields, 'result') }
  } catch {
    return undefined
  }
}

function fileContentIn(json: Buffer): Buffer {
  const { file_content: named, content: unnamed } = jsonFields(json) ?? {}
  // Not by textOrNone, which replaces what the database can't store: a binary file has zero bytes.
  const content = named ?? unnamed
  if (typeof content !== 'string' || content === '') throw malformed('file_content')
  return /^[A-Za-z0-9+/\s]+=*\s*$/.test(content)
    ? Buffer.from(content, 'base64')
    : Buffer.from(content, 'latin1')
}

const signatures = [
  ['%PDF', 'application/pdf'],
  ['\x89PNG', 'image/png'],
  ['<svg', 'image/svg+xml'],
  ['<?xml', 'image/svg+xml'],
] as const

/**
 * The type comes from the first bytes of the file, or else from the type that the response names.
 */
export function stickerFrom(
  externalId: string,
  { bytes, contentType: named }: OzonFile,
  code?: string | undefined,
): Sticker {
  const start = bytes.subarray(0, 8).toString('latin1')
  const kind =
    signatures.find(([signature]) => start.startsWith(signature)) ??
    signatures.find(([, type]) => bytes.length > 0 && named.startsWith(type))
  if (kind === undefined) throw malformed('file_content')
  return { externalId, contentType: kind[1], bytes, code }
}

/**
 * Returns a function that downloads a file from an address in a response.
 *
 * - The address must be OZON's: it comes from a response and not from the operator.
 * - The credentials are not sent, and redirects are not followed.
 * - A refusal is `unreachable`: it is about this address, and the next response names another.
 */
export function openDownloads(options: CallsOptions): (address: string) => Promise<OzonFile> {
  const { account, baseUrl } = options
  const { raw } = openCalls({ ...options, headers: { accept: '*/*' }, part: `${account} files` })
  return async (address) => {
    const url = URL.parse(address)
    if (url === null || !isOzonAddress(url, baseUrl)) throw malformed('file_url')
    const path = `${url.pathname}${url.search}`
    try {
      return fileIn(await raw({ method: 'GET', repeatable: true, baseUrl: url.origin, path }))
    } catch (error) {
      if (!isFailure(error, 'credentials', 'rejected')) throw error
      const message = 'OZON не отдал готовый файл, повторите через минуту'
      throw new MarketplaceError('unreachable', message, { cause: error })
    }
  }
}
