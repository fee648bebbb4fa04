import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { actorNames } from '../../../../identity/staff/actor-names.ts'
import type { Queryable } from '../../../../platform/db/connection.ts'
import { ServiceError } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import {
  addMeasures,
  isByCard,
  listMeasures,
  MeasuresDraft,
  ProductMeasures,
} from '../../../../warehouse/billing/measures.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { memberOn } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { clientInPath } from '../clients/clients.ts'
import { type ProductParams, productInPath, productParams } from './product-params.ts'

/** Measures of products: managers give them from any day on, workers at the shelf from today on. */

const MeasuresList = Type.Object(
  { items: Type.Array(named(ProductMeasures), { description: 'Размеры, последние первыми.' }) },
  { $id: 'MeasuresList', description: 'Размеры товара по дням, с которых они действуют.' },
)

export function addProductMeasures(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const listSchema = staffOperation({
    id: 'listProductMeasures',
    tag: 'Клиенты',
    summary: 'Размеры товара',
    description: 'Кто и когда измерил. Хранение по объёму считают по размерам того же дня.',
    params: productParams,
    answers: { 200: { description: 'Размеры.', schema: named(MeasuresList) } },
    errors: ['not_found'],
  })
  app.get<ProductParams>(
    '/clients/:id/products/:barcode/measures',
    { schema: listSchema },
    async (request) => shownMeasures(db, await measuredInPath(db, request.params)),
  )

  const addSchema = staffOperation({
    id: 'measureProduct',
    tag: 'Клиенты',
    summary: 'Измерить товар',
    description:
      'С названного дня; тот же день ещё раз — исправление. Дни закрытых месяцев не меняются. Работник ' +
      'измеряет с сегодняшнего дня, другой день называет менеджер.',
    params: productParams,
    body: MeasuresDraft,
    answers: { 200: { description: 'Измерен.', schema: named(MeasuresList) } },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.post<ProductParams>(
    '/clients/:id/products/:barcode/measures',
    { schema: addSchema },
    async (request) => {
      const draft = bodyOf(MeasuresDraft, request)
      if (draft.first_day !== undefined && memberOn(request).role === 'worker') {
        throw new ServiceError('forbidden', 'Другой день называет менеджер: уберите first_day')
      }
      const { clientId, barcode: objectId } = await measuredInPath(db, request.params)
      return change(dependencies, request, { clientId, objectId }, async (work) => {
        const { barcode } = await productInPath(work.tx, clientId, objectId)
        const product = { clientId, barcode }
        const made = await addMeasures(work, product, draft)
        const answer = await shownMeasures(work.tx, product)
        return made === undefined ? { answer, changed: false } : { answer, made }
      })
    },
  )
}

async function measuredInPath(db: StaffDependencies['db'], params: ProductParams['Params']) {
  const clientId = await clientInPath(db, params.id)
  const { barcode } = await productInPath(db, clientId, params.barcode)
  return { clientId, barcode }
}

async function shownMeasures(db: Queryable, product: { clientId: string; barcode: string }) {
  const items = await listMeasures(db, product)
  const nameOf = await actorNames(
    db,
    items.map(({ measured_by: by }) => by),
  )
  return {
    items: items.map((each) => ({
      ...each,
      measured_by: isByCard(each.measured_by) ? 'карточка маркетплейса' : nameOf(each.measured_by),
    })),
  }
}
