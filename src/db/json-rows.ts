/** Rows of a statement as JSON, written from the server's bytes: `[{…},{…}]` without the brackets. */

import { bytesAtFirst, type JsonPlan, type JsonStep } from './json-plan.ts'
import type { RowTaker } from './wire.ts'

const [comma, quote, space] = [0x2c, 0x22, 0x20]
const [upperT, t, dot, plus, zero, three] = [0x54, 0x74, 0x2e, 0x2b, 0x30, 0x33]
const nullText = Buffer.from('null')
const trueText = Buffer.from('true')
const falseText = Buffer.from('false')
const offset = Buffer.from('+03:00"')
/** Room that a byte may need: `\u0001`. */
const escapedMax = 6
const safeDigits = 15
/** Room that no row fills costs nothing: the system gives memory for what is written. */
const usualBytesMax = 1_024 * 1_024
/** Each time the room grows all rows so far are copied, into memory that the system clears first. */
const growth = 8
/** Room for what stands before and behind the rows. */
const edgeBytes = 2_048

/** What a byte of text becomes; 0 for a byte that stays as it is. JSON.stringify escapes the same ones alike. */
const escapes = Array.from({ length: 256 }, (_, byte) => {
  const text = byte < 0x80 ? JSON.stringify(String.fromCharCode(byte)).slice(1, -1) : ''
  return text.length > 1 ? Buffer.from(text) : undefined
})
const isEscaped = Uint8Array.from(escapes, (text) => (text === undefined ? 0 : 1))

export class JsonRows implements RowTaker {
  readonly #plan: JsonPlan
  readonly #ends: number[] = []
  /** Of the object that the rows are a list of. */
  readonly #holder: JsonRows | undefined
  #out: Buffer
  #at = edgeBytes
  #needsComma = false
  #total: number | undefined

  constructor(plan: JsonPlan) {
    this.#plan = plan
    this.#out = Buffer.allocUnsafe(plan.usualBytes)
    this.#holder = plan.list && new JsonRows(plan.list.holder)
  }

  /** The first row's column `total`; undefined without rows, without that column and for NULL. */
  get total(): number | undefined {
    return this.#total
  }

  /** What the rows take so far. */
  get bytes(): number {
    return this.#at - edgeBytes
  }

  /** Rows taken so far. */
  get count(): number {
    return this.#ends.length
  }

  /**
   * The first rows with commas between them, between `before` and `behind`, at most 2 KB each. They are written around
   * the rows where these lie, so it is called once.
   * @throws RangeError for a longer one
   */
  first(rows: number, before = '', behind = ''): Buffer {
    this.#plan.usualBytes = Math.min(this.#at + bytesAtFirst, usualBytesMax)
    const edges = [before, behind].map((text) => Buffer.byteLength(text))
    if (Math.max(...edges) > edgeBytes) throw new RangeError('too long to stand around the rows')
    const from = edgeBytes - Buffer.byteLength(before)
    const end = this.#endOf(rows - 1)
    this.#out.write(before, from)
    return this.#out.subarray(from, end + this.#out.write(behind, end))
  }

  /** The one object of the rows, with its list if it has one; undefined without rows. Called once, instead of `first`. */
  object(): Buffer | undefined {
    const { list } = this.#plan
    if (list === undefined) return this.count === 0 ? undefined : this.first(1)
    const holder = this.#holder?.object()
    if (holder === undefined) return undefined
    const fields = holder.subarray(0, -1)
    const key = `,${JSON.stringify(list.key)}:[`
    const head = fields.toString() + key
    // The list is copied only where its object is long.
    if (Buffer.byteLength(head) <= edgeBytes) return this.first(this.count, head, ']}')
    return Buffer.concat([fields, this.first(this.count, key, ']}')])
  }

  /** The object of a row. */
  parse(row: number): unknown {
    const from = row === 0 ? edgeBytes : this.#endOf(row - 1) + 1
    return JSON.parse(this.#out.toString('utf8', from, this.#endOf(row)))
  }

  /** Where a row ends; the row before the first one ends where that begins. */
  #endOf(row: number): number {
    return row < 0 ? edgeBytes : (this.#ends[row] as number)
  }

  take(bytes: Buffer, at: number): void {
    if (this.#holder?.count === 0) this.#holder.take(bytes, at)
    this.#readPlaces(bytes, at)
    const { list, lengths, totalIndex } = this.#plan
    if (list !== undefined && (lengths[list.itemIndex] as number) < 0) return
    if (this.#ends.length > 0) this.#out[this.#at++] = comma
    else if (totalIndex >= 0) this.#total = this.#numberOf(bytes, totalIndex)
    this.#needsComma = false
    for (const step of this.#plan.steps) this.#write(bytes, step)
    this.#ends.push(this.#at)
  }

  /** Where each column's text is, and room for all of the row. */
  #readPlaces(bytes: Buffer, at: number): void {
    const { starts, lengths } = this.#plan
    let next = at + 2
    for (let index = 0; index < lengths.length; index += 1) {
      const length = bytes.readInt32BE(next)
      next += 4
      starts[index] = next
      lengths[index] = length
      if (length > 0) next += length
    }
    const wanted = this.#at + 1 + this.#plan.bytesMax + (next - at) * escapedMax + edgeBytes
    if (wanted <= this.#out.length) return
    const larger = Buffer.allocUnsafe(Math.max(wanted, this.#out.length * growth))
    this.#out.copy(larger, 0, 0, this.#at)
    this.#out = larger
  }

  #numberOf(bytes: Buffer, index: number): number | undefined {
    const from = this.#plan.starts[index] as number
    const length = this.#plan.lengths[index] as number
    return length < 0 ? undefined : Number(bytes.toString('latin1', from, from + length))
  }

  #write(bytes: Buffer, { kind, text, index, isOptional, labels }: JsonStep): void {
    const length = index < 0 ? 0 : (this.#plan.lengths[index] as number)
    if (length < 0 && isOptional) return
    if (this.#needsComma && kind !== 'close') this.#out[this.#at++] = comma
    this.#needsComma = kind !== 'open'
    this.#copy(text)
    if (index < 0) return
    const from = this.#plan.starts[index] as number
    if (length < 0) this.#copy(nullText)
    else if (labels !== undefined) this.#writeLabel(bytes, from, length, labels)
    else if (kind === 'text') this.#writeText(bytes, from, length)
    else if (kind === 'moment') this.#writeMoment(bytes, from, length)
    else if (kind === 'boolean') this.#copy(bytes[from] === t ? trueText : falseText)
    else this.#writePlain(bytes, from, length, kind === 'number')
  }

  #writeLabel(
    bytes: Buffer,
    from: number,
    length: number,
    labels: ReadonlyMap<string, Buffer>,
  ): void {
    const value = bytes.toString('latin1', from, from + length)
    const label = labels.get(value)
    if (label === undefined) throw new RangeError(`no label for "${value}"`)
    this.#copy(label)
  }

  #copy(text: Buffer): void {
    const out = this.#out
    let at = this.#at
    for (let index = 0; index < text.length; index += 1) out[at++] = text[index] as number
    this.#at = at
  }

  #writeText(bytes: Buffer, from: number, length: number): void {
    const out = this.#out
    let at = this.#at
    out[at++] = quote
    for (let index = from; index < from + length; index += 1) {
      const byte = bytes[index] as number
      if (isEscaped[byte] === 1) {
        const escaped = escapes[byte] as Buffer
        for (const each of escaped) out[at++] = each
      } else out[at++] = byte
    }
    out[at++] = quote
    this.#at = at
  }

  /** `2026-11-20 18:25:02.12+03` becomes `"2026-11-20T18:25:02.120+03:00"`; digits past the third are cut off. */
  #writeMoment(bytes: Buffer, from: number, length: number): void {
    const end = from + length - 3
    if (
      length < 22 ||
      bytes[from + 10] !== space ||
      bytes[end] !== plus ||
      bytes[end + 2] !== three
    ) {
      const text = bytes.toString('latin1', from, from + length)
      throw new RangeError(`expected a timestamp of a session at +03 and got "${text}"`)
    }
    const out = this.#out
    let at = this.#at
    out[at++] = quote
    for (let index = from; index < from + 19; index += 1) out[at++] = bytes[index] as number
    out[at - 9] = upperT
    out[at++] = dot
    for (let index = from + 20; index < from + 23; index += 1) {
      out[at++] = index < end ? (bytes[index] as number) : zero
    }
    this.#at = at
    this.#copy(offset)
  }

  /** Numbers, and JSON that the statement has made. */
  #writePlain(bytes: Buffer, from: number, length: number, isNumber: boolean): void {
    if (isNumber && length > safeDigits) {
      const text = bytes.toString('latin1', from, from + length)
      if (!Number.isSafeInteger(Number(text))) throw new RangeError(`int8 beyond 2^53: ${text}`)
    }
    const out = this.#out
    let at = this.#at
    for (let index = from; index < from + length; index += 1) out[at++] = bytes[index] as number
    this.#at = at
  }
}
