import Type, { type Static, type TSchema } from 'typebox'
import { count, named, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { pictureOfGoods } from '../catalogue/pictures.ts'
import { fieldsOfSets } from '../catalogue/set-fields.ts'

export const lookupKinds = [
  'goods',
  'box',
  'pallet',
  'location',
  'order',
  'shipment',
  'receipt',
  'marking_code',
  'return',
] as const

const optional = <S extends TSchema>(schema: S) => Type.Optional(schema)

export const LookupPlace = Type.Object(
  {
    location_id: textOrNull('Место хранения; null, если неизвестно.'),
    location_code: textOrNull('Его код.'),
    box_id: textOrNull('Короб; null у единиц вне коробов.'),
    sscc: textOrNull('Номер короба.'),
    qty: Type.Integer({ minimum: 1, description: 'Сколько единиц.' }),
  },
  { $id: 'LookupPlace', description: 'Где лежат единицы товара.' },
)
export type LookupPlace = Static<typeof LookupPlace>

export const LookupMatch = Type.Object(
  {
    kind: oneOfValues(
      lookupKinds,
      'goods — товар, box — короб, pallet — паллета, location — место хранения, order — заказ, ' +
        'shipment — отгрузка (поставка), receipt — приёмка, marking_code — код маркировки, return — возврат.',
    ),
    title: Type.String({ description: 'Что это, словами.' }),
    id: textOrNull('Идентификатор объекта; у товара и кода маркировки null.'),
    client_id: textOrNull('Чьё это; null у места хранения.'),
    client_name: textOrNull('Название клиента.'),
    status: optional(Type.String({ description: 'Статус или состояние, кодом.' })),
    barcode: optional(textOrNull('Штрихкод товара.')),
    name: optional(textOrNull('Название товара.')),
    article: optional(textOrNull('Артикул продавца.')),
    picture: pictureOfGoods,
    quantity: optional(count('У товара — остаток.')),
    in_question: optional(count('Из них под вопросом.')),
    reserved: optional(count('Из них в резерве.')),
    asks_expiry: optional(
      Type.Boolean({ description: 'У товара учитывается срок годности; если нет, поля нет.' }),
    ),
    loose: optional(count('Из остатка вне коробов и мест: их можно разложить.')),
    units: optional(count('Единиц в коробе, на паллете, в заказе, отгрузке или возврате.')),
    ...fieldsOfSets,
    warehouse_code: optional(textOrNull('Склад.')),
    location_code: optional(textOrNull('Где стоит короб или паллета.')),
    order_id: optional(textOrNull('Заказ, к которому относится код маркировки или возврат.')),
    shipment_id: optional(textOrNull('Отгрузка заказа.')),
    places: optional(
      Type.Array(named<LookupPlace>(LookupPlace), {
        description: 'Где лежит товар, по порядку обхода; не больше 20 мест.',
      }),
    ),
  },
  { $id: 'LookupMatch', description: 'Одно из того, чем может быть код.' },
)
export type LookupMatch = Static<typeof LookupMatch>

export const CodeLookup = Type.Object(
  {
    code: Type.String({ description: 'Что спрашивали.' }),
    matches: Type.Array(named<LookupMatch>(LookupMatch), {
      description:
        'Что это может быть; каждого вида не больше 20. Пусто: склад такого кода не знает.',
    }),
  },
  { $id: 'CodeLookup', description: 'Чем оказался код.' },
)
export type CodeLookup = Static<typeof CodeLookup>
