import type { ComponentChildren } from 'preact'
import type { Metrics } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { monthIn } from '../../ui/billing/charges.tsx'
import { lastDayOf, lastDays, type Period, periodBefore } from '../../ui/days.ts'
import { number, plural } from '../../words/format.ts'
import { wholeRoubles } from '../../words/money.ts'
import { account } from '../api.ts'
import { AskByApi, FigureByApi } from '../parts/copy.tsx'
import { Loaded, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'
import { Compared } from './compare.tsx'
import { Curves } from './curves.tsx'
import { metricsPath } from './figures.ts'
import { Funnel } from './funnel.tsx'
import { Needs } from './needs.tsx'
import { StockToActOn } from './stock-to-act-on.tsx'

const days = 30
const refreshMs = 60_000

export function Overview() {
  const period = lastDays(days)
  const answer = useAnswer(
    `overview ${period.from}`,
    async (signal) => {
      const [now, before] = await Promise.all([
        account('GET /metrics', { query: period, signal }),
        account('GET /metrics', { query: periodBefore(period), signal }),
      ])
      return { now, before }
    },
    { refreshMs },
  )
  return (
    <Page title="Обзор">
      <Loaded answer={answer}>
        {({ now, before }) => <Figures now={now} before={before} period={period} />}
      </Loaded>
      <div class="pictures">
        <Needs />
        <StockToActOn />
      </div>
      <Curves usual={days} />
      <Loaded answer={answer}>
        {({ now, before }) => (
          <>
            <section class="panel stack" aria-labelledby="flow">
              <h2 id="flow">Путь товаров за {plural(days, 'день', 'дня', 'дней')}</h2>
              <Funnel now={now} before={before} path={metricsPath(period)} />
              <p>
                <a href={paths.metricsOf(period.from, lastDayOf(period))}>Все показатели</a>
              </p>
            </section>
            <AskByApi paths={[period, periodBefore(period)].map(metricsPath)} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface FiguresProps {
  readonly now: Metrics
  readonly before: Metrics
  readonly period: Period
}

function Figures({ now, before, period }: FiguresProps) {
  const { may } = useSession()
  const ordersOfPeriod = `${paths.orders}?created_from=${period.from}&created_to=${lastDayOf(period)}`
  const path = metricsPath(period)
  return (
    <div class="figures">
      <Figure
        title="На складе, единиц"
        href={paths.stock}
        value={now.storage.units}
        field="storage.units"
        path={path}
      >
        {plural(now.storage.sku_count, 'товар', 'товара', 'товаров')}
      </Figure>
      <Figure
        title="Заказов за 30 дней"
        href={ordersOfPeriod}
        value={now.shipments.orders_total}
        field="shipments.orders_total"
        path={path}
      >
        <Compared now={now.shipments.orders_total} before={before.shipments.orders_total} />
      </Figure>
      <Figure
        title="Отгружено за 30 дней"
        href={paths.shipments}
        value={now.shipments.units_shipped}
        field="shipments.units_shipped"
        path={path}
      >
        <Compared now={now.shipments.units_shipped} before={before.shipments.units_shipped} />
      </Figure>
      <Figure
        title="Отменено за 30 дней"
        href={`${ordersOfPeriod}&status=CANCELLED`}
        value={now.shipments.cancelled}
        field="shipments.cancelled"
        path={path}
      >
        <Compared now={now.shipments.cancelled} before={before.shipments.cancelled} />
      </Figure>
      {may('owner') && <Cost />}
    </div>
  )
}

/** What the warehouse has charged this month, for who may see money. */
function Cost() {
  const month = monthIn({})
  const answer = useAnswer(
    `cost of ${month}`,
    async (signal) => {
      const [sums, forecast] = await Promise.all([
        account('GET /charges/summary', { query: { period: month }, signal }),
        account('GET /charges/forecast', { signal }),
      ])
      return { amount: sums.amount, expected: forecast.expected }
    },
    { refreshMs },
  )
  return (
    <Loaded answer={answer}>
      {({ amount, expected }) => (
        <Figure title="Начислено в этом месяце" href={paths.money} value={wholeRoubles(amount)}>
          {expected === null ? 'С начала месяца' : `К концу месяца около ${wholeRoubles(expected)}`}
        </Figure>
      )}
    </Loaded>
  )
}

interface FigureProps {
  readonly title: string
  readonly href: string
  readonly value: number | string
  /** Where programs ask for it; the cost has its calls on the page of money. */
  readonly field?: string
  readonly path?: string
  readonly children: ComponentChildren
}

function Figure({ title, href, value, field, path, children }: FigureProps) {
  return (
    <div class="panel figure-card">
      <a class="quiet" href={href}>
        {title}
      </a>
      <strong class="figure">{typeof value === 'number' ? number(value) : value}</strong>
      <span class="small quiet">{children}</span>
      {field && path && <FigureByApi name={title} field={field} path={path} />}
    </div>
  )
}
