import { requestedErrorHeader } from '../requested-error.ts'

/** The chapter of the API reference about what a test key can bring about in its sandbox. */
export function sandboxChapter(baseUrl: string): string {
  return `
## Песочница по команде

Всё в этом разделе — сверх спецификации 1.1 и только для тестовых ключей: рабочий ключ получит \`sandbox_only\`.

### Ответить ошибкой

Заголовок \`${requestedErrorHeader}: <код>\` заменяет ответ вызова ошибкой с этим кодом: её статус, заголовки и тело такие же, как у настоящей, а сам вызов ничего не делает. Так проверяют каждую ветку программы.

\`\`\`bash
curl -i -X POST ${baseUrl}/v1/receipts \\
  -H 'Authorization: Bearer <ключ>' -H '${requestedErrorHeader}: warehouse_unavailable'
\`\`\`

Возможны коды, которые описаны у этого вызова; другой код вернёт \`bad_request\` со списком возможных. Ключ и запас запросов проверяются раньше заголовка, и запрос расходуется как обычно.
`.trim()
}
