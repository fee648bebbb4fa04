import { staff } from '../../staff/api.ts'

/** A day to try: goods that do not exist, a receipt of them that waits at the door, and orders for them. */
const goods = [
  { barcode: '2000000000015', article: 'DEMO-1', name: 'Кружка керамическая, 350 мл', qty: 20 },
  { barcode: '2000000000022', article: 'DEMO-2', name: 'Полотенце махровое, 50 × 90 см', qty: 15 },
  { barcode: '2000000000039', article: 'DEMO-3', name: 'Свеча ароматическая', qty: 12 },
  { barcode: '2000000000046', article: 'DEMO-4', name: 'Блокнот в клетку, А5', qty: 30 },
  { barcode: '2000000000053', article: 'DEMO-5', name: 'Набор карандашей, 12 цветов', qty: 10 },
] as const

const invented = { marketplace: 'WB', name: 'Кабинет для пробы' } as const

/** Every part may be done again: nothing is doubled. A cabinet of the seller gets nothing invented. */
export async function fillWithInvented(clientId: string): Promise<void> {
  const path = { id: clientId }
  const { items } = await staff('GET /clients/{id}/cabinets', { path, query: { limit: 100 } })
  const cabinet =
    items.find(({ name, has_credentials: isReal }) => name === invented.name && !isReal) ??
    (await staff('POST /clients/{id}/cabinets', { path, body: invented }))
  await staff('POST /clients/{id}/orders', {
    path,
    body: goods.flatMap(({ barcode, article }, index) =>
      [1, 2].map((copy) => ({
        cabinet_id: cabinet.id,
        external_id: `DEMO-${index + 1}-${copy}`,
        barcode,
        article,
      })),
    ),
  })
  await staff('POST /clients/{id}/receipts', {
    path,
    body: {
      cabinet_id: cabinet.id,
      external_ref: 'DEMO',
      comment: 'Вымышленная поставка для пробы',
      items: goods.map((item) => ({ ...item, honest_mark: false })),
    },
  })
}
