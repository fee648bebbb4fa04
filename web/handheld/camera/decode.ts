import { prepareZXingModule, purgeZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm'

// Browsers of Linux, Windows and iPhones have no BarcodeDetector. The decoder is a file of this service, because by itself the
// library would fetch it from a public network.
const address = new URL(wasm, import.meta.url).href
const overrides = { locateFile: () => address }

/** Loads the decoder, once; after a failure anew. */
export async function loadDecoder(): Promise<true> {
  try {
    await prepareZXingModule({ overrides, fireImmediately: true })
    return true
  } catch (failure) {
    purgeZXingModule()
    throw failure
  }
}

/** The code in a picture, with its separators as they are. */
export async function codeIn(picture: ImageData): Promise<string | undefined> {
  const [found] = await readBarcodes(picture, {
    formats: ['EAN13', 'EAN8', 'UPCA', 'UPCE', 'Code128', 'Code39', 'DataMatrix', 'QRCode'],
    textMode: 'Plain',
    maxNumberOfSymbols: 1,
  })
  return found?.text
}
