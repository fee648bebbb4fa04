import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { isOn, type SwitchName, setSwitch } from '../../../../platform/process/switches.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { refuseSomeWarehouses } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

const enabled = Type.Boolean({ description: 'Включено ли.' })
export const WebhooksSwitch = Type.Object(
  { enabled },
  { $id: 'WebhooksSwitch', additionalProperties: false, description: 'Выключатель вебхуков.' },
)
export const MarketplacesSwitch = Type.Object(
  { enabled },
  {
    $id: 'MarketplacesSwitch',
    additionalProperties: false,
    description: 'Выключатель обмена с маркетплейсами.',
  },
)

export const NoticesSwitch = Type.Object(
  { enabled },
  { $id: 'NoticesSwitch', additionalProperties: false, description: 'Выключатель уведомлений.' },
)

interface Described {
  readonly name: SwitchName
  readonly schema: typeof WebhooksSwitch
  /** What the operations' names end with. */
  readonly id: string
  readonly question: string
  readonly command: string
  readonly whileOff: string
}

const switches: readonly Described[] = [
  {
    name: 'webhooks',
    schema: WebhooksSwitch,
    id: 'WebhooksService',
    question: 'Работают ли вебхуки',
    command: 'Включить или выключить вебхуки',
    whileOff:
      'Пока выключены, управление подписками отвечает 503 `webhooks_unavailable`, а события ' +
      'накапливаются и уходят, когда вебхуки снова включат.',
  },
  {
    name: 'marketplaces',
    schema: MarketplacesSwitch,
    id: 'MarketplacesService',
    question: 'Идёт ли обмен с маркетплейсами',
    command: 'Включить или выключить обмен с маркетплейсами',
    whileOff:
      'Пока выключен, кабинеты не синхронизируются, а вызовы, которым нужен маркетплейс, отвечают 502 ' +
      '`marketplace_unavailable`. После восстановления из резервной копии обмен выключен.',
  },
  {
    name: 'notices',
    schema: NoticesSwitch,
    id: 'NoticesService',
    question: 'Уходят ли письма с уведомлениями',
    command: 'Включить или выключить письма с уведомлениями',
    whileOff:
      'Пока выключены, письма и сообщения ждут, а уведомления на страницах появляются как всегда. После ' +
      'восстановления из резервной копии письма выключены.',
  },
]

export function addSwitches(app: FastifyInstance, dependencies: StaffDependencies): void {
  for (const described of switches) addSwitch(app, dependencies, described)
}

function addSwitch(
  app: FastifyInstance,
  dependencies: StaffDependencies,
  { name, schema, id, question, command, whileOff }: Described,
): void {
  const { db } = dependencies
  const path = `/${name}-service`
  const config = { role: 'administrator' } as const
  const answers = { 200: { description: 'Как сейчас.', schema: named(schema) } }
  const readSchema = staffOperation({
    id: `get${id}`,
    tag: 'Настройки',
    summary: question,
    description: 'Общий выключатель.',
    answers,
  })
  app.get(path, { schema: readSchema, config }, async () => ({ enabled: await isOn(db, name) }))

  const switchSchema = staffOperation({
    id: `switch${id}`,
    tag: 'Настройки',
    summary: command,
    description: whileOff,
    body: schema,
    answers,
    errors: ['bad_request', 'validation_error'],
  })
  app.put(path, { schema: switchSchema, config }, async (request) => {
    const { enabled } = bodyOf(schema, request)
    refuseSomeWarehouses(request)
    const look = async ({ tx }: Work) => ({ enabled: await isOn(tx, name) })
    return change(dependencies, request, { objectId: `${name}-service`, look }, async (work) => {
      const changed = await setSwitch(work.tx, name, enabled)
      return { answer: { enabled }, changed }
    })
  })
}
