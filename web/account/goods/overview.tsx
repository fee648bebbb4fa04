import type { ComponentChildren } from 'preact'
import type { Metrics } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { lastDayOf, lastDays, type Period, periodBefore } from '../../ui/days.ts'
import { number, plural } from '../../words/format.ts'
import { account } from '../api.ts'
import { AskByApi, FigureByApi } from '../parts/copy.tsx'
import { Loaded, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
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
      <div class="pictures">
        <Needs />
        <StockToActOn />
      </div>
      <Curves usual={days} />
      <Loaded answer={answer}>
        {({ now, before }) => (
          <>
            <Figures now={now} before={before} period={period} />
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
    </div>
  )
}

interface FigureProps {
  readonly title: string
  readonly href: string
  readonly value: number
  readonly field: string
  readonly path: string
  readonly children: ComponentChildren
}

function Figure({ title, href, value, field, path, children }: FigureProps) {
  return (
    <div class="panel figure-card">
      <a class="quiet" href={href}>
        {title}
      </a>
      <strong class="figure">{number(value)}</strong>
      <span class="small quiet">{children}</span>
      <FigureByApi name={title} field={field} path={path} />
    </div>
  )
}
