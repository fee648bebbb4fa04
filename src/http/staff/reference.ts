import type { FastifyInstance } from 'fastify'
import { roleLabels } from '../../identity/staff/roles.ts'
import { errorMessages } from '../../platform/kernel/errors.ts'
import { type Addresses, addReference } from '../openapi/reference.ts'
import { addRequestExamples } from '../openapi/request-examples.ts'
import { errorSchemaWithFields } from '../server/envelope.ts'
import { passwordRule } from './gate.ts'
import { staffExamples, staffTags } from './operation.ts'

const description = `Склад изнутри: приёмка, хранение, сборка, отгрузка и всё, чем ими управляют.

**Вход.** Человек входит через \`POST /staff/v1/session\` и получает cookie; программа передаёт
\`Authorization: Bearer svc_staff_…\`. Роли: сотрудник склада, менеджер, администратор; каждая
следующая может всё, что предыдущие. Каждое изменение попадает в журнал. Ключами, пользователями, терминалами,
ключами маркетплейсов и тем, кто заявляет поставки, из браузера управляют не позже чем через 15 минут после входа с
паролем: потом ответ — 401 \`password_required\`, войдите ещё раз и повторите вызов. Вход по PIN для них не годится, токены о пароле не спрашивают.

**Ответы** такие же, как у API для продавцов: конверт ошибки, \`X-Request-Id\`, списки с курсором,
время RFC 3339 со смещением +03:00. Параметры, которых у вызова нет, названы в заголовке
\`X-Unknown-Parameters\`; похожие на опечатку — ошибка. Если состояние объекта не позволяет действие, ответ — 409
\`conflict\`, и сообщение говорит, в каком он состоянии.

**Повторы.** Сканы с тем же \`scan_id\` ничего не меняют, заказы с тем же \`external_id\` не
удваиваются: терминал может повторять запрос, пока не получит ответ.`

const passwordNote = `Сессии ${passwordRule}`

/** Adds the OpenAPI document at /staff/openapi.json and the reference at /staff/docs. */
export async function addStaffReference(app: FastifyInstance, addresses: Addresses): Promise<void> {
  await addReference(app, {
    addresses: { ...addresses, docsUrl: `${addresses.baseUrl}/staff/docs` },
    prefix: '/staff',
    title: 'Sklad: интерфейс склада',
    version: '1.0',
    license: 'Для сотрудников склада',
    description,
    servers: 'Склад.',
    tags: [...staffTags],
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'sklad_session',
        description: 'Сессия из POST /staff/v1/session.',
      },
      bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer svc_staff_…' },
    },
    preferredSecurity: 'bearer',
    error: errorSchemaWithFields(errorMessages),
    finish: (document) => addRequestExamples(document, staffExamples),
    note: ({ open, role = 'worker', asksPassword }) =>
      open ? '' : ` Роль: ${roleLabels[role]}.${asksPassword ? ` ${passwordNote}` : ''}`,
  })
}
