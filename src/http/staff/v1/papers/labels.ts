import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { boxLabelSizes, boxLabelSvg } from '../../../../documents/labels/box-label.ts'
import { fromTimestamp } from '../../../../platform/kernel/moscow-time.ts'
import type { StorageKind } from '../../../../warehouse/storage/boxes.ts'
import { findLabelFacts, findStored } from '../../../../warehouse/storage/queries.ts'
import { rawQuery } from '../../../route/list.ts'
import { oneOf, query } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { type IdParams, storedParams } from '../storage/storage.ts'

const labelQuery = query({
  size: oneOf(boxLabelSizes, {
    description: 'Размер в миллиметрах; без него у короба 58x40, у паллеты 100x150.',
  }),
})

export function addLabels(app: FastifyInstance, { db }: StaffDependencies): void {
  const label = (kind: StorageKind) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { size } = labelQuery.parse(rawQuery(request))
    const stored = await findStored(db, kind, (request.params as IdParams['Params']).id)
    const facts = await findLabelFacts(db, kind, stored)
    const svg = await boxLabelSvg({
      kind,
      sscc: facts.sscc,
      client: facts.client,
      createdAt: fromTimestamp(facts.created_at),
      ...(size === undefined ? {} : { size }),
    })
    return reply
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .type('image/svg+xml')
      .send(svg)
  }
  app.get('/boxes/:id/label', { schema: schemaOf('getBoxLabel', 'Этикетка короба') }, label('box'))
  app.get(
    '/pallets/:id/label',
    { schema: schemaOf('getPalletLabel', 'Этикетка паллеты') },
    label('pallet'),
  )
}

function schemaOf(id: string, summary: string) {
  return staffOperation({
    id,
    tag: 'Хранение',
    summary,
    description:
      'Для печати: SSCC штрихкодом GS1-128 и цифрами, клиент и дата. Масштаб при печати — 100 %.',
    params: storedParams,
    query: labelQuery,
    answers: {
      200: { description: 'Этикетка.', media: { 'image/svg+xml': Type.String() } },
    },
    errors: ['bad_request', 'not_found', 'conflict'],
  })
}
