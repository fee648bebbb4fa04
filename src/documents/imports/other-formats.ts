/** Files that people take for tables which can be read: what they are, and what to save instead. */

const zipSignatures = ['504b0304', '504b0506']

export function isZip(bytes: Buffer): boolean {
  return zipSignatures.includes(bytes.subarray(0, 4).toString('hex'))
}

const asXlsx = 'сохраните как «Книга Excel (.xlsx)»'
const alien = 'Файл не похож ни на CSV, ни на XLSX:'
const disguised = 'хотя он может называться .xls: откройте его в Excel и'

/** Files with a signature of their own. */
const signatures: readonly (readonly [hex: string, says: string])[] = [
  ['09000400', `Старый формат Excel (.xls) не читается: откройте файл и ${asXlsx}`],
  ['09020600', `Старый формат Excel (.xls) не читается: откройте файл и ${asXlsx}`],
  ['09040600', `Старый формат Excel (.xls) не читается: откройте файл и ${asXlsx}`],
  ['09080800', `Старый формат Excel (.xls) не читается: откройте файл и ${asXlsx}`],
  ['25504446', `${alien} это PDF, попросите у того, кто его сделал, таблицу`],
  ['7b5c7274', `${alien} это документ RTF, перенесите таблицу в Excel и ${asXlsx}`],
  ['89504e47', `${alien} это картинка`],
  ['ffd8ff', `${alien} это картинка`],
  ['47494638', `${alien} это картинка`],
  ['52617221', `${alien} это архив RAR, распакуйте его и выберите саму таблицу`],
  ['377abcaf', `${alien} это архив 7z, распакуйте его и выберите саму таблицу`],
  ['1f8b', `${alien} это архив gzip, распакуйте его и выберите саму таблицу`],
]

/** Of an old .xls, and of an .xlsx with a password. */
const compoundSignature = 'd0cf11e0a1b11ae1'

/** What a file is that cannot be read, with what to save instead; undefined for one that may be CSV or XLSX. */
export function otherFormat(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 8).toString('hex')
  if (start === compoundSignature) return compoundFile(bytes)
  const found = signatures.find(([hex]) => start.startsWith(hex))
  return found?.[1] ?? (isZip(bytes) ? undefined : markup(bytes))
}

function compoundFile(bytes: Buffer): string {
  const has = (name: string) => bytes.includes(Buffer.from(name, 'utf16le'))
  if (has('EncryptedPackage'))
    return 'Файл с паролем не читается: снимите пароль и сохраните заново'
  if (has('WordDocument'))
    return `${alien} это документ Word, перенесите таблицу в Excel и ${asXlsx}`
  return `Старый формат Excel (.xls) или файл с паролем не читается: откройте его и ${asXlsx}, без пароля`
}

const headBytes = 4 * 1024

/** Pages and XML that programs name .xls: Excel opens them with a warning. */
function markup(bytes: Buffer): string | undefined {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || bytes[1] === 0
  const head = bytes
    .subarray(0, headBytes)
    .toString(isWide ? 'utf16le' : 'latin1')
    .replace(/^(?:\ufeff|\u00ef\u00bb\u00bf)?\s*/, '')
  if (/^(?:MIME-Version:|From:)/i.test(head)) {
    return `В файле нет столбцов barcode и qty: это веб-архив (MHTML), ${disguised} ${asXlsx}`
  }
  if (/^[[{]\s*[[{"]/.test(head)) return `${alien} это JSON, выгрузите товары таблицей`
  if (!head.startsWith('<')) return undefined
  if (head.includes('urn:schemas-microsoft-com:office:spreadsheet')) {
    return `${alien} это «Таблица XML 2003» (SpreadsheetML), ${disguised} ${asXlsx}`
  }
  if (/<(?:!doctype\s+html|html|head|meta|body|table|div|style|tr|td)\b/i.test(head)) {
    return `В файле нет столбцов barcode и qty: это веб-страница (HTML), ${disguised} ${asXlsx}`
  }
  return /^<(?:\?xml|!--|[A-Za-z_][\w:.-]*[\s>/])/.test(head)
    ? `${alien} это XML, выгрузите товары таблицей`
    : undefined
}

/** What an archive is that holds no book of Excel. */
export function otherArchive(has: (path: string) => boolean): string {
  if (has('content.xml')) return `${alien} это таблица OpenDocument (.ods), ${asXlsx}`
  if (has('Index/Document.iwa') || has('index.xml') || has('Index.zip')) {
    return `${alien} это таблица Numbers, выберите в ней «Экспортировать в Excel»`
  }
  if (has('word/document.xml'))
    return `${alien} это документ Word, перенесите таблицу в Excel и ${asXlsx}`
  return `${alien} это архив, распакуйте его и выберите саму таблицу`
}
