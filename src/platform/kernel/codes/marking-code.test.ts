import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { encodedCode, type MarkingCode, readMarkingCode } from './marking-code.ts'

const GS = '\u001d'
const SET_82 = `!"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz`
const GTIN = '04006381333931'
const OTHER_GTIN = '00036000291452'
const SERIAL = '5-Ab%cD3;_?x9'
const TAIL = `${GS}91EE06${GS}92${'k'.repeat(43)}=`
const CODE = `01${GTIN}21${SERIAL}${TAIL}`

const prefixes = ['', ']d2', ']C1', ']Q3', GS, `]d2${GS}`, '\u00e8', '<GS>', '&lt;GS&gt;', '\\x1d']
const spellings = [
  ...[
    '\\x1d',
    '\\x1D',
    '\\u001d',
    '\\\\u001d',
    '\\035',
    '{GS}',
    '[GS]',
    '[gs]',
    '{FNC1}',
    '[1D]',
    '{0x1d}',
  ],
  ...['^]', '\u241d', '\u00e8', '\u2194', '&#29;'],
]
const unsureSpellings = [
  ...['<GS>', '<gs>', '&lt;GS&gt;', '&amp;lt;GS&amp;gt;', '<FNC1>', '<0x1D>', '_x001D_', '_x001d_'],
]

function text82(length: number) {
  return fc.string({ unit: fc.constantFrom(...SET_82), minLength: length, maxLength: length })
}

const aTail = fc.oneof(
  fc.constant([]),
  text82(4).map((check) => [`93${check}`]),
  fc.tuple(text82(4), text82(44)).map(([key, check]) => [`91${key}`, `92${check}`]),
  fc.tuple(text82(4), text82(88)).map(([key, check]) => [`91${key}`, `92${check}`]),
  text82(4).map((check) => ['8005123400', `93${check}`]),
  text82(4).map((check) => [`93${check}`, '3103000250']),
)
/** Printed codes, as the groups between separators. */
const aCode = fc
  .record({
    gtin: fc.constantFrom(GTIN, OTHER_GTIN, '15400141288763'),
    serial: fc.constantFrom(6, 7, 13, 20).chain(text82),
    tail: aTail,
  })
  .map(({ gtin, serial, tail }) => ({
    gtin,
    serial,
    groups: [`01${gtin}21${serial}`, ...tail],
  }))
  .filter(({ groups }) => groups.join(GS).length <= 135)

function read(text: string): MarkingCode {
  const reading = readMarkingCode(text)
  assert.ok(reading.ok, reading.ok ? '' : `${JSON.stringify(text)}: ${reading.problem}`)
  return reading
}

function problem(text: string): string {
  const reading = readMarkingCode(text)
  assert.ok(!reading.ok, JSON.stringify(reading))
  return reading.problem
}

test('a code of the usual form is read', () => {
  assert.deepEqual(readMarkingCode(CODE), {
    ok: true,
    gtin: GTIN,
    serial: SERIAL,
    identity: GTIN + SERIAL,
    code: CODE,
  })
})

test("the scanner's prefix and suffix do not change a code", () => {
  fc.assert(
    fc.property(
      aCode,
      fc.constantFrom(...prefixes),
      fc.constantFrom('', '\r', '\r\n', '\t'),
      ({ gtin, serial, groups }, prefix, suffix) => {
        // Without any separator a code may be ambiguous: see the next test.
        fc.pre(groups.length > 1)
        const code = groups.join(GS)
        const found = read(prefix + code + suffix)
        assert.deepEqual([found.gtin, found.serial], [gtin, serial])
        assert.equal(found.code, code)
      },
    ),
  )
})

test('a code without separators gets them back, or is refused with what to do', () => {
  let refused = 0
  fc.assert(
    fc.property(aCode, ({ gtin, serial, groups }) => {
      const reading = readMarkingCode(groups.join(''))
      if (!reading.ok) {
        refused++
        assert.match(reading.problem, /не передаёт разделители GS: включите их передачу в сканере/)
        return
      }
      assert.deepEqual([reading.gtin, reading.serial], [gtin, serial])
      assert.equal(reading.code, groups.join(GS))
    }),
    { numRuns: 2000 },
  )
  // A short serial with 93 looks like a serial of 13 alone: this is one code in twenty-four here.
  assert.ok(refused > 0 && refused < 300, `${refused} of 2000 were refused`)
})

test('serials of 13 and 6 characters survive lost separators, those of 7 with 93 do not', () => {
  assert.equal(read(CODE.replaceAll(GS, '')).serial, SERIAL)
  assert.equal(read(`01${GTIN}215Ab%c_93dGVz`).serial, '5Ab%c_')
  assert.match(problem(`01${GTIN}215Ab%c_493dGVz`), /разделители GS/)
})

test('a single lost separator is put back, and none where GS1 wants none', () => {
  assert.deepEqual(read(CODE.replace(`${GS}92`, '92')), read(CODE))
  for (const tail of ['1727010110LOT-1', `93dGVz${GS}3103000250`, '']) {
    const code = `01${GTIN}21${SERIAL}${GS}${tail}`
    assert.equal(read(code).code, code)
  }
  assert.equal(
    read(`01${GTIN}21${SERIAL}${GS}800512340093abcd`).code,
    `01${GTIN}21${SERIAL}${GS}8005123400${GS}93abcd`,
  )
})

test('a code that was kept as it was scanned gets its separators, and no other text changes', () => {
  for (const kept of [CODE, CODE.replaceAll(GS, ''), CODE.replaceAll(GS, '<GS>')]) {
    assert.equal(encodedCode(kept), CODE)
  }
  for (const kept of ['', 'no code', `01${GTIN}215Ab%c_493dGVz`]) {
    assert.equal(encodedCode(kept), kept)
  }
})

test('spelled separators are read as separators', () => {
  fc.assert(
    fc.property(
      aCode,
      fc.constantFrom(...spellings, ...unsureSpellings),
      ({ serial, groups }, spelled) => {
        fc.pre(groups.length > 1)
        const found = read(groups.join(spelled))
        assert.equal(found.serial, serial)
        assert.equal(found.code, groups.join(GS))
      },
    ),
  )
})

test('a serial may contain a spelling of a separator', () => {
  for (const serial of ['ab<GS>cdefghi', 'abcdefghi<GS>', 'abc_x001D_efg']) {
    assert.equal(read(`01${GTIN}21${serial}${TAIL}`).serial, serial)
    assert.equal(read(`01${GTIN}21${serial}`).serial, serial)
  }
})

test('an uncertain spelling where a separator belongs is one, unless the scanner sends GS', () => {
  const spelled = `01${GTIN}21abcdef<GS>93dGVz`
  assert.equal(read(spelled).serial, 'abcdef')
  assert.equal(read(`01${GTIN}21abcdef<GS>10x${GS}93dGVz`).serial, 'abcdef<GS>10x')
})

test('the code of a pack of tobacco has no identifiers', () => {
  const pack = '04606203085927_x%Ab;ZAB!,dGVz'
  const found = read(`]d1${pack}`)
  assert.equal(found.gtin, '04606203085927')
  assert.equal(found.serial, '_x%Ab;Z')
  assert.equal(found.identity, '04606203085927_x%Ab;Z')
  assert.equal(found.code, pack)
  assert.match(problem(pack.replace('927', '928')), /GTIN/)
  assert.match(problem(pack.slice(0, 28)), /не код маркировки/)
  assert.match(problem(`${pack}x`), /не код маркировки/)
  // A code of other goods that lost two digits of its GTIN and still has a valid check digit.
  assert.match(problem(`0123456789012821${SERIAL}`), /не код маркировки/)
})

test('letter case distinguishes units, and the tail does not', () => {
  const other = `01${GTIN}21${SERIAL}${GS}93dGVz`
  assert.equal(read(other).identity, read(CODE).identity)
  assert.notEqual(read(CODE.replace('Ab', 'AB')).identity, read(CODE).identity)
  assert.notEqual(read(CODE.replace(GTIN, OTHER_GTIN)).identity, read(CODE).identity)
})

test('a scanner with a Russian keyboard layout is reported as such', () => {
  for (const text of [CODE.replace('Ab', 'Фи'), CODE.replace('c', 'с'), CODE.replace('%', '№')]) {
    assert.match(problem(text), /раскладк/)
  }
  assert.match(problem(`ъв2${CODE}`), /раскладк/)
})

test('characters outside of GS1 set 82 are refused', () => {
  const foreign = [
    '\0',
    '\n',
    '\u001e',
    '\u007f',
    ' ',
    '\ud800',
    '\udc00',
    '😀',
    '#',
    '$',
    '@',
    '~',
  ]
  for (const character of [...foreign, '\\', '`', '|', '}', ']', '\u200b', '\ufeff', 'Ａ', 'é']) {
    for (const at of [1, 10, 20, 35, CODE.length - 1]) {
      assert.match(problem(CODE.slice(0, at) + character + CODE.slice(at)), /знак, которого/)
    }
  }
})

test('every wrong digit of the GTIN is detected', () => {
  for (let place = 2; place < 16; place++) {
    const wrong = String((Number(CODE[place]) + 1) % 10)
    assert.match(problem(CODE.slice(0, place) + wrong + CODE.slice(place + 1)), /GTIN/)
  }
  assert.match(problem(CODE.replace(GTIN, '0'.repeat(14))), /GTIN/)
})

test('a dropped or doubled character is detected', () => {
  for (let place = 0; place < CODE.length; place++) {
    if (CODE[place] === GS) continue
    problem(CODE.slice(0, place) + CODE.slice(place + 1))
    problem(CODE.slice(0, place) + CODE[place] + CODE.slice(place))
  }
})

test('serials of unknown lengths and broken tails are refused', () => {
  assert.match(problem(`01${GTIN}21${SERIAL}x${TAIL}`), /серийный номер бывает из 6, 7, 13 или 20/)
  assert.match(problem(`01${GTIN}21${TAIL}`), /серийный номер/)
  const tails = [
    '91EE0',
    '91EE067',
    '92abc',
    '93ab',
    `92${'k'.repeat(44)}`,
    '91EE06',
    'k',
    `${GS}93abcd`,
  ]
  for (const tail of tails)
    assert.match(problem(`01${GTIN}21${SERIAL}${GS}${tail}`), /код проверки/)
})

test('other identifiers are accepted after the serial', () => {
  for (const tail of ['1727010110LOT-1', `240FA046${GS}93abcd`, '', '7003270101120093']) {
    assert.equal(read(`01${GTIN}21${SERIAL}${GS}${tail}`).serial, SERIAL)
  }
})

test('other kinds of codes are named', () => {
  for (const text of ['4006381333931', '73513537', ']C115400141288763']) {
    assert.match(problem(text), /штрихкод товара/)
  }
  for (const text of [']C100340123450000000017', '00340123450000000017', '340123450000000017']) {
    assert.match(problem(text), /короба/)
  }
  const others = ['WB-GI-1234', 'https://example.com', `21${SERIAL}${GS}01${GTIN}`, `01${GTIN}`]
  for (const text of others) assert.match(problem(text), /не код маркировки/)
})

test('empty and overlong texts are refused', () => {
  for (const text of ['', ']d2', GS, '\r\n', `]d2${GS}\r\n`]) assert.match(problem(text), /пуст/)
  assert.match(problem(CODE + CODE.slice(2)), /Код/)
  assert.match(problem(`${CODE}${GS}240${'7'.repeat(60)}`), /длиннее/)
  assert.match(problem('0'.repeat(10_000_000)), /длиннее/)
})

test('any text is read or refused, and an accepted code is consistent', () => {
  const pieces = [
    '01',
    '21',
    '91',
    '92',
    '93',
    GTIN,
    SERIAL,
    GS,
    '<GS>',
    ']d2',
    'EE06',
    'k'.repeat(44),
    '\0',
  ]
  const mixed = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(''))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), mixed), (text) => {
      const reading = readMarkingCode(text)
      if (!reading.ok) return assert.match(reading.problem, /^[А-Я].*[а-яa-z»]$/)
      assert.ok(reading.code.includes(reading.gtin) && reading.code.includes(reading.serial))
      assert.ok([6, 7, 13, 20].includes(reading.serial.length))
      assert.deepEqual(readMarkingCode(reading.code), reading)
    }),
    { numRuns: 2000 },
  )
})

test('several codes in one scan are refused, and said to be several', () => {
  const short = `01${GTIN}21${SERIAL}${GS}93dGVz`
  const other = `01${OTHER_GTIN}21${SERIAL}${GS}93abcd`
  const pack = '04606203085927_x%Ab;ZAB!,dGVz'
  const full = `01${GTIN}21${SERIAL}${GS}91EE06${GS}92${'k'.repeat(44)}`
  const several = [
    short + other,
    short + other + short,
    (short + other).replaceAll(GS, ''),
    `${short}\t${other}`,
    `${short}\r\n${other}`,
    `${short} ${other}`,
    full + short,
    `01${GTIN}21${SERIAL}01${OTHER_GTIN}21${SERIAL}`,
    `${short}4006381333931`,
    `${short}${GS}4006381333931`,
    `4006381333931${short}`,
    `${short}73513537`,
    `${short}00340123450000000017`,
    `00340123450000000017${short}`,
    `${full}15400141288763`,
    pack + pack,
    `${pack}4006381333931`,
    // A serial of seven and the barcode of its goods are as long as a serial of twenty.
    `01${GTIN}21abcdefg4006381333931`,
    `01${GTIN}21abcdefg4006381333931${GS}93dGVz`,
  ]
  for (const text of several) assert.match(problem(text), /^Кодов в одном скане несколько/, text)
  assert.match(problem(full + full), /несколько|два подряд/)
})

test('of any two codes in one scan none is taken for the other', () => {
  fc.assert(
    fc.property(aCode, aCode, fc.constantFrom('', GS, '\t', ' '), (one, two, between) => {
      problem(one.groups.join(GS) + between + two.groups.join(GS))
    }),
  )
})

test('text of a label behind a code is no part of it', () => {
  const code = `01${GTIN}21${SERIAL}${GS}93dGVz`
  for (const text of ['12-pcs', 'LOT5', '4006', 'A']) problem(code + text)
})

test('a code with brackets around its identifiers is read as it is encoded', () => {
  const kinds: [written: string, code: string][] = [
    [`(01)${GTIN}(21)${SERIAL}(93)dGVz`, `01${GTIN}21${SERIAL}${GS}93dGVz`],
    [`(01) ${GTIN} (21) ${SERIAL} (91) EE06 (92) ${'k'.repeat(43)}=`, CODE],
    [
      `]d2(01)${GTIN}(21)${SERIAL}(8005)123400(93)abcd\r\n`,
      `01${GTIN}21${SERIAL}${GS}8005123400${GS}93abcd`,
    ],
    [`(01)${GTIN}(21)${SERIAL}`, `01${GTIN}21${SERIAL}`],
    [`(01)${GTIN}(21)a(b)cdefghijk(93)dGVz`, `01${GTIN}21a(b)cdefghijk${GS}93dGVz`],
  ]
  for (const [written, code] of kinds) assert.deepEqual(read(written), read(code), written)
  assert.match(problem(`(01)${GTIN}(21)${SERIAL}x(93)dGVz`), /серийный номер/)
})

test('signs that a program wrote for XML are the signs of the code', () => {
  const serial = 'a&b<c>d"e\'f12'
  const code = `01${GTIN}21${serial}${GS}93d&Vz`
  const escaped = (text: string) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
  assert.equal(read(code).serial, serial)
  for (const written of [
    escaped(code),
    escaped(escaped(code)),
    escaped(code).replaceAll(GS, '&#29;'),
  ]) {
    assert.equal(read(written).serial, serial, written)
    assert.equal(read(written).code, code)
  }
  // As long as a serial of thirteen, though it has seven signs.
  assert.equal(read(`01${GTIN}21ab&lt;&gt;fg1${GS}93dGVz`).serial, 'ab<>fg1')
})
