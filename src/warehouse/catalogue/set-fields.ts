import Type, { type Static } from 'typebox'

/** What answers of staff show of sets. */

export const partsMax = 50
export const partUnitsMax = 1000

export const SetPart = Type.Object(
  {
    barcode: Type.String({ description: 'Штрихкод части.' }),
    name: Type.String({ description: 'Её название.' }),
    qty: Type.Integer({ minimum: 1, maximum: partUnitsMax, description: 'Сколько в наборе.' }),
  },
  { description: 'Часть набора.' },
)
export type SetPart = Static<typeof SetPart>

/** The optional fields of goods in answers of staff. */
export const fieldsOfSets = {
  parts: Type.Optional(
    Type.Array(SetPart, {
      description: 'Из чего набор, по возрастанию штрихкода; у товара, который не набор, поля нет.',
    }),
  ),
  parts_allow: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Сколько наборов выйдет из свободных единиц частей, кроме уже собранных; у товара, который не набор, поля нет.',
    }),
  ),
}
