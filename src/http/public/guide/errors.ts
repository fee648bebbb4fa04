import { type PublicErrorCode, publicErrors } from '../../../platform/kernel/errors.ts'
import { errorStatus } from '../../route/operation.ts'

/** What the integrator should do, by error code. */
const actions: Readonly<Record<PublicErrorCode, string>> = {
  unauthorized: 'Передайте ключ в одном из двух заголовков.',
  key_revoked: 'Замените ключ на новый.',
  rate_limited: 'Подождите столько секунд, сколько указано в `Retry-After`.',
  not_found: 'Проверьте идентификатор или адрес.',
  bad_request: 'Исправьте запрос: параметр или поле названы в `message`.',
  bad_cursor: 'Начните список с первой страницы, без `cursor`.',
  internal: 'Повторите запрос; если не помогло, сообщите `request_id`.',
  validation_error: 'Исправьте поле, названное в `message`.',
  cabinet_required: 'Передайте `cabinet_id` из `GET /v1/me`.',
  mixed_marking: 'Разделите заявку на две с разными `external_ref`.',
  write_disabled: 'Попросите менеджера склада включить заявки для ключа.',
  warehouse_unavailable: 'Повторите через минуту: ничего не создано.',
  webhook_url_unverified:
    'Сделайте так, чтобы адрес отвечал 2xx: что помешало, сказано в `message`.',
  webhook_limit: 'Удалите подписку, которая больше не нужна; отключённые тоже в счёте.',
  webhooks_unavailable: 'Повторите позже: события копятся и придут, когда вебхуки включат.',
  sandbox_only: 'Возьмите тестовый ключ.',
}

/** A list, because a table of long codes breaks words in a narrow window. */
function errorList(): string {
  const codes = Object.keys(publicErrors) as PublicErrorCode[]
  return codes
    .sort((a, b) => errorStatus[a] - errorStatus[b])
    .map(
      (code) =>
        `- **${errorStatus[code]}** \`${code}\` — ${publicErrors[code]}. **Что делать:** ${actions[code]}`,
    )
    .join('\n')
}

/** The chapter of the guide about errors. */
export function errorChapter(support: string | undefined): string {
  return `
## Ошибки

Тело одно для всех: \`{"error": {"code", "message", "request_id"}}\`. Код не меняется; \`message\` — для человека и говорит, что передано, что нужно и что делать. Чужой объект и несуществующий неотличимы: оба — \`not_found\`.

${errorList()}

### Куда обратиться

${support === undefined ? 'Пишите менеджеру вашего склада.' : `Пишите: ${support}.`} Назовите \`request_id\` из ошибки или заголовок \`X-Request-Id\` любого ответа: по нему видно, что пришло и что случилось. Ключ не присылайте — хватит его первых восьми и последних четырёх знаков.
`.trim()
}
