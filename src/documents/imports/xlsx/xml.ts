import sax from 'sax'
import { pauses } from '../../../platform/concurrency/loop-turns.ts'
import type { ServiceError } from '../../../platform/kernel/errors.ts'
import { damagedXlsx, tooManyCells } from '../refusals.ts'

/**
 * Gets the elements in the order of the text. Names come without their prefix, attributes with it.
 */
export interface XmlVisitor {
  open(name: string, attributes: Attributes): void
  /** May come in several pieces. */
  text?(text: string): void
  close?(name: string): void
}

export type Attributes = Readonly<Record<string, string>>

const DEPTH_MAX = 64
const ATTRIBUTES_MAX = 100
/** In one part: ten thousand rows of fifty cells, with the text of each. */
const ELEMENTS_MAX = 1_000_000

/**
 * Parses a part strictly and yields after each piece, once the visitor has seen it. Throws
 * ServiceError.
 *
 * - Only XML's own five entities are known, and a DOCTYPE, which no XLSX has, is refused: nothing
 *   is expanded or fetched.
 * - Memory is bounded for any text, and the work by the number of elements: a few kilobytes of a
 *   file unpack to millions of them.
 */
export async function* readXml(
  part: AsyncIterable<Buffer>,
  visitor: XmlVisitor,
  elementsMax = ELEMENTS_MAX,
): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parser = strictParser(visitor, elementsMax)
  const pause = pauses()
  for await (const bytes of part) {
    parser.write(attempt(() => decoder.decode(bytes, { stream: true })))
    yield
    await pause()
  }
  parser.write(attempt(() => decoder.decode()))
  parser.close()
  yield
}

/** Reads a part to its end. Throws ServiceError. */
export async function readWholeXml(
  part: AsyncIterable<Buffer>,
  visitor: XmlVisitor,
  elementsMax = ELEMENTS_MAX,
): Promise<void> {
  for await (const _ of readXml(part, visitor, elementsMax));
}

function strictParser(visitor: XmlVisitor, elementsMax: number): sax.SAXParser {
  // The parser bounds its buffers only if it tracks positions.
  const options = { position: true, strictEntities: true }
  const parser = sax.parser(true, options)
  let depth = 0
  let attributeCount = 0
  let elementCount = 0
  parser.onerror = refuse
  parser.ondoctype = refuse
  parser.onopentagstart = () => {
    attributeCount = 0
    if (++elementCount > elementsMax) throw tooManyCells()
    if (++depth > DEPTH_MAX) refuse('nested too deeply')
  }
  parser.onattribute = () => {
    if (++attributeCount > ATTRIBUTES_MAX) refuse('too many attributes')
  }
  parser.onopentag = ({ name, attributes }) => {
    visitor.open(localName(name), attributes as Attributes)
  }
  parser.onclosetag = (name) => {
    depth--
    visitor.close?.(localName(name))
  }
  const text = visitor.text?.bind(visitor)
  if (text !== undefined) {
    parser.ontext = text
    parser.oncdata = text
  }
  return parser
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function refuse(cause: unknown): never {
  throw damagedXlsx(cause)
}

function attempt<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw damagedXlsx(error) satisfies ServiceError
  }
}
