export type ProductParams = { Params: { id: string; barcode: string } }
export const productParams = {
  id: 'Идентификатор клиента.',
  barcode: 'Штрихкод, закодированный для адреса.',
}
