import type { ExportColumn, ExportRow } from '../../documents/exports/table.ts'
import { moneyInWords, moneyOnPaper } from '../../documents/papers/money.ts'
import { numberColumn, type Paper } from '../../documents/papers/paper.ts'
import { dottedDate } from '../../platform/kernel/moscow-time.ts'
import type { ActWithLines } from '../../warehouse/billing/act-lines.ts'
import { fileColumn } from './table-answer.ts'

/** The act as a primary document: its name and date, who made it, what was done, measures, and who signs (402-ФЗ, article 9). */
export function actPaper(act: ActWithLines): Paper {
  return {
    title: `Акт оказанных услуг № ${act.number} от ${dottedDate(act.day)}`,
    facts: [
      ['Период', `${dottedDate(act.month)} – ${dottedDate(act.day)}`],
      ['Исполнитель', providerText(act.provider)],
      ['Заказчик', sideText(act.client.name, act.client.inn)],
    ],
    tables: [
      {
        title: 'Оказанные услуги',
        columns: [
          { title: 'Услуга', share: 7 },
          { title: 'Единица', share: 3 },
          numberColumn('Количество'),
          numberColumn('Цена, руб.'),
          { title: 'Сумма, руб.', share: 3, isNumber: true },
        ],
        rows: act.lines.map(({ name, unit, quantity, price, amount }) => [
          ...[name, unit, quantity.replace('.', ',').replace('-', '−')],
          ...[price === null ? '' : moneyOnPaper(price), moneyOnPaper(amount)],
        ]),
      },
    ],
    notes: [
      `Сумма: ${moneyOnPaper(act.amount)} руб.`,
      vatText(act),
      `Всего к оплате: ${moneyOnPaper(act.total)} руб.`,
      `${moneyInWords(act.total)}.`,
      'Услуги оказаны полностью и в срок. Заказчик не имеет претензий к их объёму, качеству и срокам.',
    ],
    signatures: [
      `Исполнитель: ${act.provider.signatory}`,
      'Заказчик (должность, фамилия, инициалы)',
    ],
  }
}

function providerText({ name, inn, kpp, address }: ActWithLines['provider']): string {
  return [sideText(name, inn), ...(kpp === null ? [] : [`КПП ${kpp}`]), address].join(', ')
}

function sideText(name: string, inn: string | null): string {
  return inn === null ? name : `${name}, ИНН ${inn}`
}

function vatText({ vat_rate: rate, vat_included: isIncluded, vat }: ActWithLines): string {
  if (rate === null) return 'Без НДС.'
  const sum = `НДС ${rate} %: ${moneyOnPaper(vat)} руб.`
  return isIncluded ? `В том числе ${sum}` : `${sum.replace(':', ' сверх суммы:')}`
}

const { text, code, number, money } = fileColumn

/** An act for 1C: a row per service. */
export const actColumns: readonly ExportColumn[] = [
  ...[code('Код'), text('Наименование'), text('Единица'), number('Количество')],
  ...[money('Цена'), money('Сумма'), code('Ставка НДС'), money('Сумма НДС'), money('Всего')],
  ...[code('Номер акта'), code('Дата акта'), code('ИНН заказчика')],
]

/** A cell for each column. */
export function actRows({ lines, ...act }: ActWithLines): readonly ExportRow[] {
  const rate = act.vat_rate === null ? 'Без НДС' : `${act.vat_rate}%`
  return lines.map((line) => [
    ...[line.code, line.name, line.unit, Number(line.quantity)],
    ...[line.price === null ? null : line.price / 100, line.amount / 100],
    ...[rate, line.vat / 100, line.total / 100],
    ...[String(act.number), dottedDate(act.day), act.client.inn],
  ])
}
