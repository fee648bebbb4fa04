import type { FastifyInstance } from 'fastify'
import { sellerRoleLabels } from '../../identity/sellers/roles.ts'
import { type Addresses, addReference } from '../openapi/reference.ts'
import { typeEvents } from '../public/event-operations.ts'
import { sellersTags } from '../public/reference.ts'
import { unattendedWords } from '../route/page-requests.ts'
import { errorSchemaWithFields } from '../server/envelope.ts'
import { accountCookie } from './gate.ts'
import { leastRoleOf } from './least-roles.ts'
import { accountErrors, accountTags } from './operation.ts'

const description = `Личный кабинет продавца: то же, что видит программа по ключу, но для людей.

**Вход.** Человек входит через \`POST /account/v1/session\` и получает cookie; дальше вход сам говорит, чьи
данные показать. Логин может работать с несколькими клиентами и переключается между ними. Роли:
просмотр, заявки на приёмку, владелец; каждая следующая может всё, что предыдущие. Каждое изменение
попадает в журнал склада с именем пользователя.

**Сверх спецификации.** ${unattendedWords}

**Данные** отдают те же вызовы, что и API для программ, с теми же цифрами, фильтрами и курсорами:
\`GET /account/v1/stock\` — это \`GET /v1/stock\`.

**Песочница.** По тестовому ключу (\`POST /account/v1/session/key\`) видно его песочницу без логина.`

interface Documented {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Operation {
  operationId: string
  description: string
  readonly security: readonly unknown[]
  responses: Record<string, Response>
}
interface Response {
  description: string
  headers?: object
  content: Record<string, { schema: object; examples: Record<string, Example> }>
}
interface Example {
  readonly summary: string
  readonly value: { readonly error: object }
}

/** Adds the OpenAPI document at /account/openapi.json and the reference at /account/docs. */
export async function addAccountReference(
  app: FastifyInstance,
  addresses: Addresses,
): Promise<void> {
  await addReference(app, {
    addresses: { ...addresses, docsUrl: `${addresses.baseUrl}/account/docs` },
    prefix: '/account',
    title: 'Sklad: личный кабинет',
    version: '1.0',
    license: 'Для клиентов склада',
    description,
    servers: 'Личный кабинет.',
    tags: [
      ...accountTags.filter(({ name }) => !sellersTags.some((tag) => tag.name === name)),
      ...sellersTags.filter(({ name }) => name !== 'Ключ'),
    ],
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: accountCookie,
        description: 'Вход из POST /account/v1/session.',
      },
    },
    preferredSecurity: 'session',
    error: errorSchemaWithFields(accountErrors),
    adapt: (schema) => ({ ...schema, security: schema.security?.length ? [{ session: [] }] : [] }),
    finish(document) {
      typeEvents(document)
      behindSessions(document as Documented)
    },
  })
}

/** Describes the mounted routes as they are behind this gate: a session instead of a key, and roles. */
function behindSessions({ paths = {} }: Documented): void {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const own = operations.find(({ operationId }) => operationId === 'getAccountSession')
  for (const operation of operations) {
    const role = leastRoleOf({ schema: operation })
    if (role !== 'viewer') operation.description += ` Роль: ${sellerRoleLabels[role]}.`
    if (operation.security.length === 0) continue
    for (const status of ['401', '403', '503'])
      addExamples(operation, status, own?.responses[status])
  }
}

function addExamples({ responses }: Operation, status: string, own: Response | undefined): void {
  if (own === undefined) return
  const before = responses[status]
  if (before === undefined || status === '401') {
    responses[status] = own
    return
  }
  const media = 'application/json'
  const examples = { ...before.content[media]?.examples, ...own.content[media]?.examples }
  responses[status] = {
    ...before,
    description: `${own.description} ${before.description}`,
    content: { [media]: { ...own.content[media], examples } as Response['content'][string] },
  }
}
