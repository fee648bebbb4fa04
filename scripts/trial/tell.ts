/** What a trial prints: lines with the time of its day. */

/** The day begins at eight, and four of its minutes pass in a second. */
const dayStartMinutes = 8 * 60
const minutesPerSecond = 4
const startedAt = Date.now()

function timeOfDay(): string {
  const minutes = dayStartMinutes + ((Date.now() - startedAt) / 1000) * minutesPerSecond
  const day = Math.floor(minutes / (24 * 60)) + 1
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `день ${day}  ${pad((minutes / 60) % 24)}:${pad(minutes % 60)}`
}

export type Say = (who: string, what: string) => void

export const say: Say = (who, what) => {
  console.log(`${timeOfDay()}  ${who.padEnd(11)} ${what}`)
}

/** Printed before anything starts. */
export const introduction = `
Проба: день склада за несколько минут. На этой машине запускаются вымышленные WB и OZON, сервис и его база.

  1. Продавец привозит товар: склад подтверждает заявку, считает сканами в короба и находит недостачу.
  2. Из кабинетов приходят заказы; раз в двадцать секунд склад собирает отгрузку WB, а кабинет OZON — свою.
  3. Заказы едут, доходят до покупателей, некоторые отменяют: их товар склад принимает обратно. Раз в сорок
     секунд продавец привозит ещё.
  4. У кроссовок есть коды маркировки. Коды уходят в WB прямо при сборке; один он не примет, и склад возьмёт
     другую единицу, пока отгрузка ещё не закрыта. Второй непринятый код ждёт вашего решения.
  5. Ещё три клиента живут без маркетплейсов: в консоли, на «Сегодня», видно, что горит, кто работает и как идёт день.

Секунда — четыре минуты дня. Ctrl-C завершает пробу и показывает итог дня. Запуск занимает до двадцати секунд…
`
