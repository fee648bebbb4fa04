import { readMarkingCode } from '../../../src/platform/kernel/codes/marking-code.ts'
import type { Entry } from '../queue/disk.ts'
import { Choice } from '../scan/choice.tsx'
import type { ScanLoop } from '../scan/use-scan-loop.ts'
import type { Verdict } from '../scan/verdict.ts'
import type { Condition, ScannedReturn } from './verdict.ts'

interface WhichGoodsProps {
  readonly loop: ScanLoop
  /** Judges the unit once its goods are known. */
  readonly read: (unit: ScannedReturn) => Verdict
}

/** The scanned order has several goods: the barcode of the unit says which of them came back. */
export function WhichGoods({ loop, read }: WhichGoodsProps) {
  const { refused } = loop
  if (refused === undefined || !lacksBarcode(refused)) return null
  const { code, condition, client_id: client } = refused.body
  const take = (scanned: string) => {
    // A marking code says by itself which unit it is.
    const unit = readMarkingCode(scanned).ok
      ? { code: scanned }
      : { code: String(code), barcode: scanned }
    const owner = client === undefined ? undefined : { id: String(client) }
    loop.act(read({ ...unit, condition: condition as Condition, client: owner }), refused)
  }
  return (
    <Choice key={refused.seq} title={`Какой товар из ${code}?`} onScan={take} onClose={loop.accept}>
      <p>Там разные товары. Отсканируйте штрихкод единицы, которая вернулась.</p>
    </Choice>
  )
}

function lacksBarcode({ name, body, field }: Entry): boolean {
  const isReturn = name === 'POST /returns/scans' || name === 'POST /returns/{id}/scans'
  return isReturn && field === 'barcode' && body.barcode === undefined
}
