import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { exportedLists } from '../src/http/staff/v1/exports/exports.ts'
import {
  attributeOf,
  elementsOf,
  type PageElement,
  readPageSources,
} from './support/page-elements.ts'

/** Every table and list of the pages can be saved as a file with all its rows, or stands here with the reason. */

const input = 'was read from a file that its owner has'
const few = 'a few facts that people read where they stand'
const secrets = 'says where somebody is signed in, which nobody hands on'
const charges = 'sums of the charges below it, which have a file'

const withoutFile: Readonly<Record<string, string>> = {
  'web/account/developers/deliveries.tsx «Попытки»': 'at most eight attempts of one delivery',
  'web/account/developers/robot.tsx «Чем закончится пересчёт»': 'rules that never change',
  'web/account/goods/new-receipt.tsx «Что исправить в файле»': input,
  'web/account/goods/orders.tsx «Состав заказа»': few,
  'web/account/goods/product.tsx «Состав набора»': few,
  'web/account/goods/product.tsx «Под вопросом»': few,
  'web/account/goods/product.tsx «Что показывают маркетплейсы»': few,
  'web/account/goods/product.tsx «Заказы»': 'the first of a list, to which a link leads',
  'web/account/goods/product.tsx «Приёмки»': few,
  'web/account/goods/product.tsx «Движения»': 'the first of a list, to which a link leads',
  'web/account/goods/sales.tsx «Продажи по кабинетам»':
    'sums of the sales below it, filtered alike',
  'web/account/people/security.tsx «Открытые входы»': secrets,
  'web/console/clients/product-measures.tsx «Когда измеряли»': few,
  'web/console/money/calculator.tsx «По услугам»': 'a trial, which holds for nobody',
  'web/console/money/client-charges.tsx «Акты месяца»': 'an act or two, each a file',
  'web/console/money/client-tariff.tsx «Условия хранения»': few,
  'web/console/money/due-months.tsx «Пора закрыть»': 'what is to be done, gone once it is',
  'web/console/money/price-list.tsx «{name}»': few,
  'web/console/money/provider.tsx «Исполнители»': few,
  'web/console/money/tariff-versions.tsx «Версии тарифа»': few,
  'web/console/orders/order.tsx «Товары заказа»': 'the file of orders has a row for each',
  'web/console/orders/order.tsx «История статусов»': 'the file for a dispute has it',
  'web/console/parts/choose-client.tsx «Клиенты»': 'a choice, of the clients that have a list',
  'web/console/receipts/goods-file-table.tsx «Таблица из файла»': input,
  'web/console/shipments/shipment-boxes.tsx «Грузоместа»': 'numbers of stickers, each a file',
  'web/console/storage/location.tsx «Короба»': 'the file of boxes names the place of each',
  'web/ui/billing/charges.tsx «По услугам»': charges,
  'web/ui/billing/charges.tsx «По дням»': charges,
  'web/ui/notices/notice-choices.tsx «Что присылать»': 'a form',
  'web/ui/notices/notices.tsx «Уведомления»': 'news for one person, each a link to its object',
}

/** Tables of what has pages, and why the first of them do. */
const firstRows: Readonly<Record<string, string>> = {
  'web/account/developers/robot.tsx GET /receipts': 'what the robot does next, not a list',
  'web/account/developers/robot.tsx GET /shipments': 'what the robot does next, not a list',
  'web/account/goods/money.tsx GET /acts': 'one act a month: two hundred are sixteen years',
  'web/account/goods/product.tsx GET /orders': 'a link leads to all of them',
  'web/account/goods/product.tsx GET /movements': 'a link leads to all of them',
  'web/console/money/client-charges.tsx GET /clients/{id}/acts': 'the act of one month',
}

const sources = readPageSources()
/** The one list is made of the one table. */
const pages = sources.filter(({ path }) => path !== 'web/ui/lists/list.tsx')
const tablesOf = (source: (typeof sources)[number]) => elementsOf(source, 'Table', 'table.tsx')
const listsOf = (source: (typeof sources)[number]) => elementsOf(source, 'List', 'list.tsx')

function nameOf(element: PageElement): string {
  const name = attributeOf(element, 'name')?.text ?? ''
  return `${element.source.path} «${name.replace(/^"|"$/g, '')}»`
}

// Guarantee (exports): Every table of the pages has a file, or a reason to have none.
test('every table and every list has a file with its rows, or a reason to have none', () => {
  const all = pages.flatMap((source) => [...tablesOf(source), ...listsOf(source)])
  assert.ok(all.length > 100, `${all.length} are found`)
  const bare = all.filter((each) => attributeOf(each, 'files') === undefined).map(nameOf)
  assert.deepEqual(bare.toSorted(), Object.keys(withoutFile).toSorted())
})

interface Described {
  readonly get?: { readonly parameters?: readonly { readonly name: string }[] }
}

/** Paths of lists with pages, as calls of the pages name them. */
function pagedPaths(surface: 'staff' | 'account'): Set<string> {
  const { paths } = JSON.parse(readFileSync(`openapi/${surface}.json`, 'utf8')) as {
    readonly paths: Readonly<Record<string, Described>>
  }
  const paged = Object.entries(paths).filter(([, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'cursor'),
  )
  return new Set(paged.map(([path]) => path.replace(`/${surface}/v1`, '')))
}

test('no table shows the first page of a list alone', () => {
  const paged = { staff: pagedPaths('staff'), account: pagedPaths('account') }
  assert.ok(paged.staff.size > 30 && paged.account.size > 10)
  const found = new Set<string>()
  for (const source of pages.filter((each) => tablesOf(each).length > 0)) {
    const asks = listsOf(source).flatMap((list) => attributeOf(list, 'ask') ?? [])
    for (const { index, 1: surface, 2: path = '' } of source.text.matchAll(
      /\b(staff|account)\(\s*'GET ([^']+)'/g,
    )) {
      const isAsked = asks.some(({ start, end }) => index >= start && index < end)
      const isPaged = paged[surface === 'staff' ? 'staff' : 'account'].has(path)
      if (isPaged && !isAsked) found.add(`${source.path} GET ${path}`)
    }
  }
  assert.deepEqual([...found].toSorted(), Object.keys(firstRows).toSorted())
})

test('each file that the console can save is offered by a page', () => {
  const offered = sources.flatMap((source) =>
    elementsOf(source, 'ExportLinks', 'export-links.tsx').map(
      (each) => attributeOf(each, 'list')?.text.replaceAll('"', '') ?? '',
    ),
  )
  assert.deepEqual([...new Set(offered)].toSorted(), Object.keys(exportedLists).toSorted())
})
