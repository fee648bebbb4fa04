/**
 * How the robot counts a declared line. Only the declared data decide, so that an integration test can
 * choose the outcome it needs. The first rule that matches applies:
 *
 * | declared                       | counted       | reason        |
 * |--------------------------------|---------------|---------------|
 * | barcode ends with `-MISSING`   | nothing       | NOT_DELIVERED |
 * | quantity ends with 13          | 1 unit less   | DAMAGED       |
 * | quantity ends with 17          | 2 units less  | NOT_DELIVERED |
 * | quantity ends with 19          | 1 unit more   | (in question) |
 * | anything else                  | as declared   |               |
 */

export interface DeclaredLine {
  readonly barcode: string
  /** Units, 1 or more. */
  readonly expected: number
}

export interface RobotCount {
  readonly units: number
  /** A code of the curated list, kind shortage; present when units are missing. */
  readonly reason?: string
}

export function countLine({ barcode, expected }: DeclaredLine): RobotCount {
  if (barcode.endsWith('-MISSING')) return { units: 0, reason: 'NOT_DELIVERED' }
  switch (expected % 100) {
    case 13:
      return { units: expected - 1, reason: 'DAMAGED' }
    case 17:
      return { units: expected - 2, reason: 'NOT_DELIVERED' }
    case 19:
      return { units: expected + 1 }
    default:
      return { units: expected }
  }
}

/** For the API guide, in Markdown. */
export const robotRules = `\
В песочнице склад изображает робот. Он работает, пока ключом пользуются: если запросов не было
15 минут, робот ждёт следующего.

**Ваши заявки на приёмку.** Через минуту после создания робот подтверждает заявку (до этого повтор
с тем же \`external_ref\` вернёт её же), затем начинает приёмку, пересчитывает товар и не позже чем
через три минуты после создания завершает её. Чем закончится пересчёт строки, решают её данные:

| В заявке | Принято | Причина |
|---|---|---|
| штрихкод заканчивается на \`-MISSING\` | 0 | Товар не привезён |
| количество заканчивается на 13 (13, 113, …) | на 1 меньше | Товар повреждён |
| количество заканчивается на 17 (17, 117, …) | на 2 меньше | Товар не привезён |
| количество заканчивается на 19 (19, 119, …) | на 1 больше, лишняя единица под вопросом | — |
| любое другое | сколько заявлено | — |

**Заказы и отгрузки WB.** Первые три минуты после выдачи или сброса данных робот их не меняет. Потом
кабинет WB опрашивается раз в три минуты, и примерно раз в две минуты в нём появляется новый заказ,
пока на складе есть свободный товар. Новые заказы попадают в открытую отгрузку и собираются; через
полчаса отгрузка закрывается, ещё через десять минут её принимает маркетплейс, и в течение часа
заказы доходят до покупателей. Кабинет OZON в песочнице не отвечает, его данные не меняются.

**Хранение, возвраты и пересчёты.** Принятый товар робот раскладывает по полкам и собирает заказы оттуда. Заказ, который
отменили в пути, через четверть часа возвращается на склад: годная единица снова в наличии, повреждённая — под вопросом. Раз в
полчаса робот пересчитывает одну полку.

Приёмки и заказы, которые были в песочнице с самого начала, робот не трогает — кроме заказов
открытой отгрузки WB.

На каждое изменение отправляются те же события, что и в рабочем режиме.
`
