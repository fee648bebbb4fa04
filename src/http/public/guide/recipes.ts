/**
 * The chapter of the guide with recipes. A test pastes its commands into a shell, one after another, with
 * a key and the address of a service.
 */
export function recipeChapter(baseUrl: string): string {
  return `
## Рецепты

Команды готовы к вставке по порядку. Замените только \`<ключ>\` в первой строке; годится и тестовый ключ.

\`\`\`bash
KEY='<ключ>'
BASE='${baseUrl}'
AUTH="Authorization: Bearer $KEY"
\`\`\`

### Первая приёмка

Кабинет — первый из \`GET /v1/me\`. Штрихкод — из песочницы, замените на свой; \`external_ref\` — номер вашего документа.

\`\`\`bash
CABINET=$(curl -s "$BASE/v1/me" -H "$AUTH" | grep -o '"cabinets":\\[{"id":"[^"]*' | cut -d'"' -f6)
curl -s -X POST "$BASE/v1/receipts" -H "$AUTH" -H 'Content-Type: application/json' -d '{
  "cabinet_id": "'"$CABINET"'",
  "external_ref": "PO-1",
  "items": [{"barcode": "2000000010014", "qty": 10, "honest_mark": false}]
}'
\`\`\`

### Проверить, прежде чем повторять

Ответ потерялся, и прошло время: заявку могли подтвердить, и тогда тот же запрос создаст вторую приёмку. Сначала спросите по своему номеру. \`"total":0\` — заявки нет, повторяйте.

\`\`\`bash
curl -s "$BASE/v1/receipts?external_ref=PO-1" -H "$AUTH"
\`\`\`

### Следить за пересчётом

\`accepted_qty\` каждой строки растёт, пока склад считает. Достаточно раза в минуту; о начале и конце скажут события.

\`\`\`bash
RECEIPT=$(curl -s "$BASE/v1/receipts?external_ref=PO-1" -H "$AUTH" | grep -o '"items":\\[{"id":"[^"]*' | cut -d'"' -f6)
curl -s "$BASE/v1/receipts/$RECEIPT" -H "$AUTH"
\`\`\`

### Заказы за сегодня

Дата — полночь по Москве. Больше тысячи — листайте \`cursor\`. Границу \`created_to\` вычислите один раз и не меняйте от страницы к странице: курсор годен только для тех же фильтров.

\`\`\`bash
TODAY=$(TZ=Europe/Moscow date +%F)
curl -s "$BASE/v1/orders?created_from=$TODAY&limit=1000" -H "$AUTH"
\`\`\`

### Опрашивать остатки даром

\`curl\` сам хранит \`ETag\` в файле. Ничего не изменилось — ответ \`304\` без тела, и \`stock.json\` прежний.

\`\`\`bash
curl -s "$BASE/v1/stock?limit=1000" -H "$AUTH" --etag-compare stock.etag --etag-save stock.etag -o stock.json -w '%{http_code}\\n'
curl -s "$BASE/v1/stock?limit=1000" -H "$AUTH" --etag-compare stock.etag --etag-save stock.etag -o stock.json -w '%{http_code}\\n'
\`\`\`

### Читать ленту событий

Сохраняйте \`next_after\` вместе с обработанными событиями и передавайте в \`after\`. С \`wait=25\` ответ ждёт первого события.

\`\`\`bash
AFTER=$(curl -s "$BASE/v1/events?after=latest" -H "$AUTH" | grep -o '"next_after":"[^"]*' | cut -d'"' -f4)
curl -s "$BASE/v1/events?after=$AFTER&wait=1" -H "$AUTH"
\`\`\`
`.trim()
}
