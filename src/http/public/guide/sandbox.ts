import { advanceHoursMax, roundsMax, roundsPerHour } from '../../../sandbox/advance.ts'
import { keptMax, receiversMax } from '../../../sandbox/receivers.ts'
import { describeTriggers } from '../../../sandbox/triggers/triggers.ts'
import { requestedErrorHeader } from '../../route/requested-error.ts'

function triggerTable(): string {
  const rows = describeTriggers().map(({ name, does, events }) => {
    const types = events.map((type) => `\`${type}\``).join(', ') || 'нет'
    return `| \`${name}\` | ${does} | ${types} |`
  })
  return ['| Имя | Что происходит | События |', '|---|---|---|', ...rows].join('\n')
}

/** The chapter of the API reference about what a test key can bring about in its sandbox. */
export function sandboxChapter(baseUrl: string): string {
  return `
## Песочница по команде

Всё в этом разделе — сверх спецификации 1.1 и только для тестовых ключей: рабочий ключ получит \`sandbox_only\`, а заголовка не заметит.

В исходных данных есть и то, что в работе встречается редко: заказ без штрихкода, заказ без \`synced_at\`, неполный \`marketplace_status\`, приёмка без \`planned_date\`, товар с пустым \`marketplace_stock\` и товар, который кончился.

### Ответить ошибкой

Заголовок \`${requestedErrorHeader}: <код>\` заменяет ответ вызова ошибкой с этим кодом: её статус, заголовки и тело такие же, как у настоящей, а сам вызов ничего не делает. Так проверяют каждую ветку программы.

\`\`\`bash
curl -i -X POST ${baseUrl}/v1/receipts \\
  -H 'Authorization: Bearer <ключ>' -H '${requestedErrorHeader}: warehouse_unavailable'
\`\`\`

Возможны коды, которые описаны у этого вызова; другой код вернёт \`bad_request\` со списком возможных. Ключ и запас запросов проверяются раньше заголовка, и запрос расходуется как обычно.

### Сыграть ситуацию

\`POST /v1/sandbox/triggers/{name}\` сразу приводит песочницу в одну из ситуаций. В ответе — что изменилось; события приходят те же, что и в рабочем режиме.

\`\`\`bash
curl -X POST ${baseUrl}/v1/sandbox/triggers/receipt_with_shortage \\
  -H 'Authorization: Bearer <ключ>'
\`\`\`

${triggerTable()}

События в таблице приходят каждый раз. Если по пути что-то ещё подтвердилось, началось или появилось, придут события и об этом.

Повторять можно сколько угодно: если не осталось подходящей приёмки, заказа или товара, они появятся. Приёмка — сначала ваша последняя заявка, потом приёмки сценария; заказы и отгрузки — кабинета WB.

### Продвинуть время

\`POST /v1/sandbox/advance\` с телом \`{"hours": 24}\` (от 1 до ${advanceHoursMax}) сразу играет столько времени склада: ваши заявки посчитаны, заказы WB появляются, собираются, уезжают и доходят до покупателей. События идут по порядку, а время у всего — настоящее: в прошлое или будущее ничего не попадает.

До ${roundsMax / roundsPerHour} часов склад проживает шагами по ${60 / roundsPerHour} минут, больше — теми же ${roundsMax} шагами, но длиннее. За шаг уходит не больше одной отгрузки, поэтому \`handed_over_shipments\` за сутки и за неделю одинаково, до ${roundsMax - 1}: с часами растёт число заказов в отгрузке.

\`\`\`bash
curl -X POST ${baseUrl}/v1/sandbox/advance \\
  -H 'Authorization: Bearer <ключ>' -H 'Content-Type: application/json' -d '{"hours": 24}'
\`\`\`

Вызовы одной песочницы выполняются по очереди. Пока кабинет WB не отвечает (\`sync_error\`), проходит только время приёмок.

### Приёмник без сервера

\`POST /v1/sandbox/receivers\` создаёт адрес, который принимает вебхуки и отвечает по вашему списку: коды от 200 до 599 и \`timeout\`. Последний ответ повторяется дальше. Подпишите на этот адрес события — и проверьте подпись и повторы без своего сервера. Паузы между попытками настоящие: вторая придёт через минуту, третья — ещё через пять. Доставки на него не покидают сервис.

\`\`\`bash
curl -X POST ${baseUrl}/v1/sandbox/receivers \\
  -H 'Authorization: Bearer <ключ>' -H 'Content-Type: application/json' \\
  -d '{"answers": ["500", "timeout", "204"]}'
\`\`\`

На \`webhook.ping\` приёмник отвечает 204 и списка не тратит. \`timeout\` — та же неудача, что и без ответа за 10 секунд, но сразу. Что пришло, показывает \`GET /v1/sandbox/receivers/{id}\`: заголовки, тело, верна ли подпись и что приёмник ответил, последние ${keptMax} запросов. Приёмников не больше ${receiversMax}; сброс песочницы удаляет их.
`.trim()
}
