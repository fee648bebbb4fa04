import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { PDFDocument } from '@cantoo/pdf-lib'
import { Resvg } from '@resvg/resvg-js'
import fc from 'fast-check'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { turnsDuring } from '../../../tests/support/turns.ts'
import { readSscc, sscc } from '../../platform/kernel/codes/gs1.ts'
import { type BoxLabel, boxLabelPage, boxLabelSvg } from './box-label.ts'
import { deviceLabelPage } from './code-label.ts'
import { deliveryLabels } from './delivery-label.ts'
import { goodsLabelPage } from './goods-label.ts'
import { fitted, visibleText } from './line.ts'
import { noteSvg, orderLabelPage, orderLabelSvg } from './order-label.ts'
import { svgOf } from './page.ts'
import { bytesOfPdf, labelsPdf } from './pdf.ts'

const NOON = Date.UTC(2026, 10, 20, 9)
const box: BoxLabel = {
  kind: 'box',
  sscc: '346000000000000016',
  client: 'ООО «Ромашка»',
  createdAt: NOON,
}
const oddNames = [
  '',
  '<script>&amp;"\'</script> ]]>',
  '\0\u001b[31m\r\nдве\nстроки\u2028',
  '\ud800 половина пары',
  '\u202eслева направо',
  'Щ'.repeat(100_000),
  'a\u0301'.repeat(300),
  '👩‍👩‍👧‍👦'.repeat(50),
  '\ufffe\uffff',
]

// The decoder would fetch its WebAssembly from the network; it is given the installed file.
const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
await prepareZXingModule({
  overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer },
  fireImmediately: true,
})

function render(svg: string, width: number) {
  return new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render()
}

/** The text that a scanner reads from a label. */
async function scan(svg: string, width: number): Promise<string[]> {
  const found = await readBarcodes(render(svg, width).asPng(), {
    formats: ['All'],
    tryInvert: false,
    textMode: 'Plain',
  })
  return found.map(({ isValid, symbologyIdentifier, text }) => {
    assert.ok(isValid)
    return symbologyIdentifier + text
  })
}

test('a printed label scans as the GS1-128 of its SSCC', async () => {
  const pages = [
    { kind: 'box', widths: [464, 685, 1370] },
    { kind: 'pallet', widths: [800, 1181] },
  ] as const
  for (const { kind, widths } of pages) {
    const svg = await boxLabelSvg({ ...box, kind })
    for (const width of widths) {
      const scans = await scan(svg, width)
      assert.deepEqual(scans, [`]C100${box.sscc}`], `${kind} of ${width} dots`)
      assert.deepEqual(scans.map(readSscc), [box.sscc])
    }
  }
})

test('every SSCC can be scanned from its label', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt(1n, 99_999_999n), async (serial) => {
      const number = sscc('046000000', serial)
      const svg = await boxLabelSvg({ ...box, sscc: number })
      assert.deepEqual(await scan(svg, 464), [`]C100${number}`])
    }),
    { numRuns: 20 },
  )
})

test('no client name breaks a label', async () => {
  for (const client of oddNames) {
    const svg = await boxLabelSvg({ ...box, client })
    assert.ok(svg.length < 6000)
    assert.deepEqual(await scan(svg, 464), [`]C100${box.sscc}`])
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (client) => {
      render(await boxLabelSvg({ ...box, client }), 58)
    }),
    { numRuns: 30 },
  )
})

test('a label has its size in millimetres, white margins and its text lines', async () => {
  const svg = await boxLabelSvg({ ...box, client: 'Щ'.repeat(100) })
  assert.match(svg, /^<svg [^>]*width="58mm" height="40mm" viewBox="0 0 58 40">/)
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)
  assert.deepEqual([texts[0], texts[1], texts[3]], ['Короб', '20.11.2026', `(00)${box.sscc}`])
  assert.match(texts[2] ?? '', /^Щ{10,}…$/)

  const { pixels, width, height } = render(svg, 580)
  const dark = Array.from({ length: width * height }, (_, at) => at).filter(
    (at) => (pixels[4 * at] ?? 255) < 128,
  )
  assert.ok(dark.length > 10_000)
  assert.ok(dark.every((at) => at % width >= 25 && at % width < width - 25))
})

test('a pallet label names the pallet and has the requested size', async () => {
  const pallet = { ...box, kind: 'pallet' } as const
  assert.match(await boxLabelSvg(pallet), /width="100mm" height="150mm"[\s\S]*>Паллета</)
  assert.match(await boxLabelSvg({ ...pallet, size: '58x40' }), /width="58mm"[\s\S]*>Паллета</)
})

test('the label shows the Moscow date', async () => {
  const evening = await boxLabelSvg({ ...box, createdAt: Date.UTC(2026, 11, 31, 21) })
  assert.match(evening, />01\.01\.2027</)
})

test('the label of an order scans as its number, as a QR code where Code 128 does not fit', async () => {
  const order = { marketplace: 'OZON', client: box.client, shipment: 'WB-GI-1' }
  for (const [number, code] of [
    ['4512345678', ']C0'],
    ['0123456789-0001-1', ']C0'],
    ['0123456789-0001-1-and-much-more-of-it', ']Q'],
    ['Заказ № 5', ']Q'],
  ] as const) {
    const svg = await orderLabelSvg({ ...order, number })
    const [scanned, ...others] = await scan(svg, 464)
    assert.ok(scanned?.startsWith(code) && scanned.endsWith(number), `${number}: ${scanned}`)
    assert.equal(others.length, 0)
  }
  for (const odd of oddNames) {
    render(await orderLabelSvg({ ...order, number: odd, client: odd, shipment: odd }), 58)
    render(noteSvg(odd, odd), 58)
  }
})

test('the label of goods scans as their barcode, in the code that shops read', async () => {
  const goods = { name: 'Плед флисовый, тёплый, очень большой, двести на двести', article: 'PL-1' }
  for (const [barcode, code] of [
    ['4006381333931', ']E0'],
    ['96385074', ']E4'],
    ['2000000000017', ']C0'],
    ['WB-12345678', ']C0'],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', ']Q'],
    ['Товар-1', ']Q'],
  ] as const) {
    const svg = svgOf(await goodsLabelPage({ ...goods, barcode }))
    const [scanned, ...others] = await scan(svg, 464)
    assert.ok(scanned?.startsWith(code) && scanned.endsWith(barcode), `${barcode}: ${scanned}`)
    assert.equal(others.length, 0)
  }
  const barcode = '4006381333931'
  const lot = { expiresOn: '2027-12-31', number: 'A17' }
  const dated = svgOf(await goodsLabelPage({ ...goods, barcode, lot }))
  assert.ok(dated.includes('До 31.12.2027, партия A17'))
  assert.ok(dated.includes('Артикул PL-1'))
  assert.deepEqual(await scan(dated, 464), [`]E0${barcode}`])
  for (const odd of oddNames) {
    const its = { barcode, name: odd, article: odd, lot: { ...lot, number: odd } }
    render(svgOf(await goodsLabelPage({ ...its, lot: undefined })), 58)
    render(svgOf(await goodsLabelPage(its)), 58)
  }
})

test("a handheld's scanner reads the code that enrols it, and people read it too", async () => {
  const device = { name: 'Терминал 3, приёмка', code: '7KQ2M-XP49T', until: '12:15' }
  const svg = svgOf(await deviceLabelPage(device))
  const [scanned, ...others] = await scan(svg, 464)
  assert.ok(scanned?.startsWith(']Q') && scanned.endsWith(device.code), `read: ${scanned}`)
  assert.equal(others.length, 0)
  for (const text of [device.name, device.code, 'до 12:15']) assert.ok(svg.includes(text), text)
  for (const odd of oddNames) render(svgOf(await deviceLabelPage({ ...device, name: odd })), 58)
})

test('the boxes of a delivery are numbered, and each opens its receipt', async () => {
  const delivery = {
    id: '01a1fcc9-0c44-7024-87c2-3f0b7c6b1d11',
    number: 'R-000017',
    client: 'ООО «Ромашка»',
  }
  const pages = await Promise.all(deliveryLabels(delivery, 12).map((draw) => draw()))
  const texts = pages.map(({ parts }) => parts.flatMap((part) => ('text' in part ? part.text : [])))
  assert.deepEqual(texts[2], ['Приёмка R-000017', 'ООО «Ромашка»', 'Короб', '3 из 12'])
  assert.equal(texts.length, 12)
  for (const page of pages.slice(-2)) {
    const scanned = await scan(svgOf(page), 464)
    assert.deepEqual(scanned, [`]Q1${delivery.id}`])
  }
  const [last] = await Promise.all(
    deliveryLabels(delivery, 500)
      .slice(-1)
      .map((draw) => draw()),
  )
  assert.ok(last?.parts.some((part) => 'text' in part && part.text === '500 из 500'))
  for (const odd of oddNames) {
    const [draw] = deliveryLabels({ ...delivery, client: odd, number: odd }, 1)
    assert.ok(draw)
    render(svgOf(await draw()), 58)
  }
})

test('labels are one PDF with a page of its own size for each, whatever their texts', async () => {
  const order = { marketplace: 'OZON', client: box.client, shipment: undefined }
  const pages = [
    await boxLabelPage(box),
    await boxLabelPage({ ...box, kind: 'pallet' }),
    await orderLabelPage({ ...order, number: 'Заказ № 5' }),
    ...(await Promise.all(
      oddNames.map((name) => goodsLabelPage({ barcode: 'x', name, article: name })),
    )),
  ]
  const bytes = await bytesOfPdf(
    await labelsPdf(
      pages.map((page) => () => page),
      'Этикетки',
      new Date(NOON),
    ),
  )
  const document = await PDFDocument.load(bytes)
  const sizes = document.getPages().map((page) => Math.round(page.getWidth() / (72 / 25.4)))
  assert.deepEqual(sizes, [58, 100, ...Array(pages.length - 2).fill(58)])
})

test('a text that is no SSCC gets no label', async () => {
  for (const number of ['', '346000000000000017', '34600000000000001', '(00)346000000000000016']) {
    await assert.rejects(boxLabelSvg({ ...box, sscc: number }), RangeError)
  }
})

test('a long line is cut between characters, a short one is not', () => {
  assert.equal(fitted('ООО «Ромашка»', 17), 'ООО «Ромашка»')
  assert.equal(fitted('', 17), '')
  assert.match(fitted('👩‍👩‍👧‍👦'.repeat(9), 5), /^(?:👩‍👩‍👧‍👦)+…$/u)
  assert.equal(fitted('слово слово', 4.6), 'слово…')
  assert.equal(visibleText(' a\0\n\tb\u202ec '), 'a bc')
})

test('while a sheet of labels is drawn, the process serves whatever else comes', async () => {
  const labels = Array.from({ length: 50 }, () => () => boxLabelPage(box))
  const turns = await turnsDuring(() => labelsPdf(labels, 'Этикетки', new Date(NOON)))
  assert.ok(turns >= 100, `${turns} turns`)
})

test('of many large sheets at once few are in the making, and a small one does not wait for them', async () => {
  let inTheMaking = 0
  let most = 0
  const sheet = async () => {
    let drawn = 0
    const draw = () => {
      drawn += 1
      if (drawn === 1) inTheMaking += 1
      most = Math.max(most, inTheMaking)
      if (drawn === 30) inTheMaking -= 1
      return boxLabelPage(box)
    }
    await labelsPdf(
      Array.from({ length: 30 }, () => () => draw()),
      'Этикетки',
      new Date(NOON),
    )
  }
  const order: string[] = []
  const note = (name: string) => () => void order.push(name)
  await Promise.all([
    ...Array.from({ length: 4 }, () => sheet().then(note('large'))),
    labelsPdf([() => boxLabelPage(box)], 'Этикетка', new Date(NOON)).then(note('small')),
  ])
  assert.equal(most, 2)
  assert.equal(order[0], 'small')
})
