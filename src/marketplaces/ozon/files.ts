import { fieldsOf, malformed, textOrNone } from '../calls/answer.ts'
import { type Answered, type CallsOptions, openCalls } from '../calls/calls.ts'
import { isFailure, MarketplaceError } from '../calls/failure.ts'
import { isOzons } from './addresses.ts'
import { partOf } from './mapper.ts'

/** Files as OZON gives them: in an answer, or at an address that an answer names. */
export interface File {
  readonly bytes: Buffer
  /** As the answer called it; it may be wrong. */
  readonly contentType: string
}

/** A file comes as it is, or inside of JSON in base64 or as binary text. */
export function fileIn({ bytes, contentType }: Answered): File {
  return { bytes: /\bjson\b/i.test(contentType) ? contentIn(bytes) : bytes, contentType }
}

function contentIn(json: Buffer): Buffer {
  let content: string | undefined
  try {
    const fields = fieldsOf(JSON.parse(json.toString('utf8')), 'ответ')
    content = textOrNone({ ...fields, ...partOf(fields, 'result') }, 'file_content')
  } catch {
    content = undefined
  }
  if (content === undefined) throw malformed('file_content')
  return /^[A-Za-z0-9+/\s]+=*\s*$/.test(content)
    ? Buffer.from(content, 'base64')
    : Buffer.from(content, 'latin1')
}

/**
 * Fetches a file from the address that an answer names. It need not be one of the operator's, so it
 * must be OZON's; credentials do not go there, and no redirect is followed.
 */
export function openDownloads(options: CallsOptions): (address: string) => Promise<File> {
  const { account, baseUrl } = options
  const { raw } = openCalls({ ...options, headers: { accept: '*/*' }, part: `${account} files` })
  return async (address) => {
    const url = URL.parse(address)
    if (url === null || !isOzons(url, baseUrl)) throw malformed('file_url')
    const path = `${url.pathname}${url.search}`
    try {
      return fileIn(await raw({ method: 'GET', repeatable: true, baseUrl: url.origin, path }))
    } catch (error) {
      // Whatever is said there is said of the address, and not of the key: the next has another.
      if (!isFailure(error, 'credentials', 'rejected')) throw error
      const message = 'OZON не отдал готовый файл, повторите через минуту'
      throw new MarketplaceError('unreachable', message, { cause: error })
    }
  }
}
