import type { ComponentChildren } from 'preact'
import type { Attention } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Moment } from '../../ui/moment.tsx'
import { moment, number, plural } from '../../words/format.ts'
import { account } from '../api.ts'
import { Badge, Loaded } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'

const refreshMs = 60_000

/** What a seller has to look at, each with the way to it. */
export function Needs() {
  const answer = useAnswer('needs', (signal) => account('GET /attention', { signal }), {
    refreshMs,
  })
  return (
    <section class="panel stack" aria-labelledby="needs">
      <h2 id="needs">Что требует внимания</h2>
      <Loaded answer={answer}>{(attention) => <List attention={attention} />}</Loaded>
    </section>
  )
}

function List({ attention }: { readonly attention: Attention }) {
  const { may } = useSession()
  const needs = [
    ...cabinetNeeds(attention),
    ...webhookNeeds(attention),
    ...orderNeeds(attention),
    ...goodsNeeds(attention),
    ...(may('owner') ? keyNeeds(attention) : []),
  ]
  if (needs.length === 0) {
    return <p class="quiet">Ничего: недостач, сбоев и товаров под вопросом нет.</p>
  }
  return <ul class="needs">{needs}</ul>
}

type Cabinet = Attention['cabinets'][number]

function cabinetNeeds({ cabinets }: Attention): ComponentChildren[] {
  return cabinets.map(
    ({
      id,
      name,
      marketplace,
      problems,
      lacks,
      sync_error,
      synced_at,
      credentials_expire_at: end,
    }) => (
      <li key={id}>
        <WorstProblem marketplace={marketplace} problems={problems} />
        <span class="long">
          {name}.{' '}
          {sync_error !== undefined && (
            <>
              {sync_error}. Данные за <Moment at={synced_at} none="никогда" />.{' '}
            </>
          )}
          {lacks.map(({ what, since, reason }) => (
            <>
              {what} не обновляются с <Moment at={since} />. {reason}. Остальное обновляется.{' '}
            </>
          ))}
          {problems.includes('credentials_expiring') && (
            <>
              Ключ действует до <Moment at={end} />.{' '}
            </>
          )}
          {problems.includes('warehouses_not_chosen') &&
            'Склад ещё не выбрал, с каких ваших складов он отправляет заказы: скажите менеджеру, с каких. '}
          {problems.includes('credentials_personal') &&
            'У склада ваш Персональный токен, а по правилам WB его нельзя передавать: складу нужен Базовый с категориями «Маркетплейс» и «Контент». '}
          {problems.some((problem) => problem.startsWith('credentials')) &&
            'Сделайте новый ключ в кабинете маркетплейса и передайте его менеджеру склада.'}
        </span>
      </li>
    ),
  )
}

function WorstProblem({ marketplace, problems }: Pick<Cabinet, 'marketplace' | 'problems'>) {
  if (problems.includes('credentials_refused')) {
    return <Badge tone="bad">Ключ {marketplace} не подходит</Badge>
  }
  if (problems.includes('sync_error')) {
    return <Badge tone="bad">Данные {marketplace} не обновляются</Badge>
  }
  if (problems.includes('warehouses_not_chosen')) {
    return <Badge tone="warn">Новые заказы {marketplace} не загружаются</Badge>
  }
  if (problems.includes('data_missing')) {
    return <Badge tone="warn">{marketplace} даёт не все данные</Badge>
  }
  if (problems.includes('credentials_expiring')) {
    return <Badge tone="warn">Ключ {marketplace} скоро истечёт</Badge>
  }
  return <Badge tone="warn">Токен {marketplace} не того типа</Badge>
}

function webhookNeeds({ webhooks }: Attention): ComponentChildren[] {
  return webhooks.map(({ id, url, disabled_reason }) => (
    <li key={id}>
      <Badge tone="bad">Вебхук отключён</Badge>
      <a href={paths.webhook(id)} class="long">
        {url}
      </a>
      <span>{disabled_reason}</span>
    </li>
  ))
}

const uncoveredShown = 5

/** What the manager sees on his first page. */
function orderNeeds({ uncovered }: Attention): ComponentChildren[] {
  const { total, units, items } = uncovered
  if (total === 0) return []
  return [
    <li key="uncovered">
      <Badge tone="bad">
        Для заказов не хватает {plural(total, 'товара', 'товаров', 'товаров')},{' '}
        {plural(units, 'единицы', 'единиц', 'единиц')}
      </Badge>
      <ul class="needs">
        {items.slice(0, uncoveredShown).map((goods) => (
          <li key={`${goods.barcode} ${goods.name} ${goods.deadline}`}>
            <span class="long">
              <GoodsName barcode={goods.barcode} name={goods.name} />: не хватает{' '}
              {number(goods.missing)}, {goods.reason}.
              {goods.deadline !== null && ` Отгрузить до: ${moment(goods.deadline)}.`}
            </span>
          </li>
        ))}
        {total > uncoveredShown && (
          <li>
            <span class="quiet">И ещё {number(total - uncoveredShown)}.</span>
          </li>
        )}
      </ul>
    </li>,
  ]
}

interface GoodsNameProps {
  readonly barcode: string | undefined
  readonly name: string | undefined
}

/** Leads to the goods that the warehouse knows. */
function GoodsName({ barcode, name }: GoodsNameProps) {
  if (barcode === undefined) return <span>{name ?? 'Товар без штрихкода'}</span>
  return name === undefined ? <span>{barcode}</span> : <a href={paths.stockItem(barcode)}>{name}</a>
}

function keyNeeds({ keys_to_see: keys }: Attention): ComponentChildren[] {
  if (keys === 0) return []
  return [
    <li key="keys">
      <Badge tone="warn">{plural(keys, 'ключ готов', 'ключа готовы', 'ключей готовы')}</Badge>
      <a href={paths.keys}>Посмотреть, пока не отозваны</a>
    </li>,
  ]
}

function goodsNeeds({
  receipts,
  in_question: inQuestion,
  shows_more: more,
  expiring,
}: Attention): ComponentChildren[] {
  const needs: ComponentChildren[] = []
  if (receipts.total > 0) {
    const query = `status=RECEIVED_WITH_DISCREPANCY&created_from=${receipts.since.slice(0, 10)}`
    needs.push(
      <li key="receipts">
        <Badge tone="warn">
          {plural(receipts.total, 'приёмка', 'приёмки', 'приёмок')} с расхождением за 30 дней
        </Badge>
        <a href={`${paths.receipts}?${query}`}>Чего не хватило и что лишнее</a>
      </li>,
    )
  }
  if (inQuestion.units > 0) {
    needs.push(
      <li key="question">
        <Badge tone="warn">
          {plural(inQuestion.units, 'единица', 'единицы', 'единиц')} под вопросом
        </Badge>
        <a href={`${paths.stock}?show=question`}>Какие товары и почему</a>
      </li>,
    )
  }
  if (expiring > 0) {
    needs.push(
      <li key="expiring">
        <Badge tone="warn">
          У {plural(expiring, 'товара', 'товаров', 'товаров')} истёк или скоро истечёт срок годности
        </Badge>
        <a href={`${paths.lots}?state=expiring`}>Какие партии и когда</a>
      </li>,
    )
  }
  if (more > 0) {
    needs.push(
      <li key="more">
        <Badge tone="warn">
          {plural(more, 'товара', 'товаров', 'товаров')} на маркетплейсе больше, чем есть
        </Badge>
        <a href={`${paths.stock}?show=more`}>
          Какие товары: исправьте остатки в кабинете маркетплейса
        </a>
      </li>,
    )
  }
  return needs
}
