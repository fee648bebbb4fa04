/** Fields that WB sends and no test sets. */

export const cardFields = {
  imtID: 7001,
  nmUUID: '02cea0b1-5c0b-736c-b2be-d0a6543e9be1',
  subjectID: 7771,
  subjectName: 'Товары',
  kizMarked: false,
  brand: 'Полярис',
  description: '',
  photos: [],
  video: '',
  wholesale: { enabled: false, quantum: 0 },
  dimensions: { length: 10, width: 10, height: 10, weightBrutto: 0.5, isValid: true },
  characteristics: [],
  tags: [],
  createdAt: '2026-01-12T08:00:00Z',
}

const orderFields = {
  address: null,
  scanPrice: null,
  deliveryType: 'fbs',
  colorCode: '',
  offices: ['Тверь'],
  officeId: 123,
  finalPrice: 10_000,
  convertedPrice: 10_000,
  convertedFinalPrice: 10_000,
  currencyCode: 643,
  convertedCurrencyCode: 643,
  isZeroOrder: false,
}

export const newOrderFields = {
  ...orderFields,
  ddate: null,
  sellerDate: null,
  salePrice: 10_000,
  requiredMeta: [],
  optionalMeta: [],
  isPickupPointShipmentAllowed: false,
}

export const listedOrderFields = { ...orderFields, supplyId: '' }
