import { useLocation } from 'preact-iso'
import { receiptStatusLabels } from '../../../src/warehouse/receipts/state.ts'
import type { Calls, Receipt } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useAddress } from '../../ui/address.ts'
import { Facts } from '../../ui/facts.tsx'
import { FileLink } from '../../ui/file-link.tsx'
import { SheetRead } from '../../ui/forms/sheet-read.tsx'
import { ChoiceFilter, DaysFilter, Filters, TextFilter } from '../../ui/lists/filters.tsx'
import { List, listRefreshMs } from '../../ui/lists/list.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { DayOf, Moment } from '../../ui/moment.tsx'
import { differencesOf } from '../../words/differences.ts'
import { number } from '../../words/format.ts'
import { roublesText } from '../../words/money.ts'
import { account } from '../api.ts'
import { askedIn } from '../parts/asked.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { AskByApi } from '../parts/copy.tsx'
import { ListFiles, ObjectFiles } from '../parts/list-files.tsx'
import { ObjectPhotos } from '../parts/object-photos.tsx'
import { Badge, Long, OneLoaded, Page, Status } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'
import { BoxLabels } from './box-labels.tsx'

type Query = NonNullable<Calls['GET /receipts']['query']>

const columns: readonly Column<Receipt>[] = [
  { title: 'Номер', cell: ({ number }) => <span class="whole">{number}</span> },
  {
    title: 'Состояние',
    main: true,
    cell: ({ status, status_label }) => <Status status={status} label={status_label} />,
  },
  { title: 'Заявлено', end: true, cell: ({ expected_qty }) => number(expected_qty) },
  { title: 'Принято', end: true, cell: ({ accepted_qty }) => number(accepted_qty) },
  { title: 'Расхождение', end: true, cell: (receipt) => <TotalDifference receipt={receipt} /> },
  { title: 'Ваш номер', cell: ({ external_ref }) => <Long text={external_ref} /> },
  { title: 'План', cell: ({ planned_date }) => <DayOf at={planned_date} /> },
  { title: 'Создана', cell: ({ created_at }) => <Moment at={created_at} /> },
]

/** Less or more than announced; equal totals may hide a product that lacks and one too many. */
function TotalDifference({ receipt }: { readonly receipt: Receipt }) {
  const { accepted_qty: came, expected_qty: expected, completed_at, status } = receipt
  if (completed_at === null) return <>—</>
  if (came !== expected) return <Difference units={came - expected} />
  return <>{status === 'RECEIVED_WITH_DISCREPANCY' ? 'по товарам' : '0'}</>
}

function Difference({ units }: { readonly units: number }) {
  if (units === 0) return <>0</>
  return <Badge tone="warn">{`${units > 0 ? '+' : '−'}${number(Math.abs(units))}`}</Badge>
}

const names = ['external_ref', 'status', 'created_from', 'created_to'] as const

export function Receipts() {
  const { session } = useSession()
  const { query } = useAddress()
  const given = askedIn<Query>(query, names)
  const text = new URLSearchParams(given as Record<string, string>).toString()
  return (
    <Page title="Приёмки" actions={<NewReceiptLink />}>
      <Filters>
        <TextFilter name="external_ref" label="Ваш номер документа" />
        <ChoiceFilter name="status" label="Состояние" options={receiptStatusLabels} />
        <DaysFilter names={['created_from', 'created_to']} label="Созданы с" />
      </Filters>
      <List
        of={`receipts ${text}`}
        name="Приёмки"
        columns={columns}
        keyOf={({ id }) => id}
        href={({ id }) => paths.receipt(id)}
        ask={({ signal, ...page }) =>
          account('GET /receipts', { query: { ...given, ...page }, signal })
        }
        files={<ListFiles list="receipts" filter={given} />}
        empty={
          text === '' ? (
            <p>Поставок ещё нет{session.receipts_enabled && ': заявите первую'}.</p>
          ) : (
            <p>Таких приёмок нет: измените фильтр.</p>
          )
        }
      />
      <AskByApi paths={[`/receipts${text === '' ? '' : `?${text}`}`]} />
    </Page>
  )
}

function NewReceiptLink() {
  const { session, may } = useSession()
  if (!may('receipts')) return null
  if (session.receipts_enabled) {
    return (
      <a class="button primary" href={paths.newReceipt}>
        Заявить поставку
      </a>
    )
  }
  return <span class="small quiet">Заявки здесь включает менеджер склада</span>
}

const above = { href: paths.receipts, title: 'Приёмки' }

export function ReceiptPage({ id }: { readonly id: string }) {
  const answer = useAnswer(
    `receipt ${id}`,
    (signal) => account('GET /receipts/{id}', { path: { id }, signal }),
    { refreshMs: listRefreshMs },
  )
  return (
    <OneLoaded answer={answer} title="Приёмка" missing="Такой приёмки нет" above={above}>
      {(receipt) => <ReceiptView receipt={receipt} reload={answer.reload} />}
    </OneLoaded>
  )
}

const sources = {
  api: 'программа или личный кабинет',
  file: 'файл менеджера',
  manual: 'менеджер',
} as const

interface ReceiptProps {
  readonly receipt: Receipt
  readonly reload: () => void
}

/** Until a manager confirms it, a request that was made here can be changed and withdrawn. */
function OwnRequest({ receipt: { id, number }, reload }: ReceiptProps) {
  const { data, error } = useAnswer(`announcement ${id}`, (signal) =>
    account('GET /receipts/{id}/announcement', { path: { id }, signal }),
  )
  if (data === undefined && error === undefined) return <span aria-busy="true" />
  if (data?.changeable !== true) return null
  return (
    <>
      <a class="button" href={paths.changedReceipt(id)}>
        Изменить
      </a>
      <ConfirmButton
        label="Отозвать заявку"
        agree="Отозвать заявку"
        question={`Отозвать заявку ${number}?`}
        isDangerous
        act={async () => {
          await account('POST /receipts/{id}/withdraw', { path: { id } })
          reload()
        }}
      >
        <p>Приёмка завершится: склад не будет ждать этот товар. Вернуть заявку нельзя.</p>
      </ConfirmButton>
    </>
  )
}

function ReceiptView({ receipt, reload }: ReceiptProps) {
  const { session, may } = useSession()
  const { query } = useLocation()
  const items = receipt.items ?? []
  const isCounted = receipt.completed_at !== null
  const { short, surplus } = differencesOf(isCounted ? items : [])
  return (
    <Page
      title={`Приёмка ${receipt.number}`}
      above={above}
      actions={
        <>
          {receipt.status === 'PENDING_CONFIRMATION' && session.receipts_enabled && (
            <OwnRequest receipt={receipt} reload={reload} />
          )}
          {short > 0 && session.receipts_enabled && (
            <a class="button" href={`${paths.newReceipt}?from=${receipt.id}`}>
              Заявить недостающее
            </a>
          )}
          {isCounted && (
            <FileLink
              href={`/account/v1/receipts/${receipt.id}/act?format=pdf`}
              label="Печать акта"
              check={() => account('GET /session')}
            />
          )}
        </>
      }
    >
      <Facts
        of={{
          Состояние: <Status status={receipt.status} label={receipt.status_label} />,
          'Ваш номер': receipt.external_ref,
          Комментарий: receipt.comment,
          Заявлена: receipt.source && sources[receipt.source],
          Создана: <Moment at={receipt.created_at} />,
          'Плановая дата': receipt.planned_date && <DayOf at={receipt.planned_date} />,
          Подтверждена: receipt.confirmed_at && <Moment at={receipt.confirmed_at} />,
          Завершена: receipt.completed_at && <Moment at={receipt.completed_at} />,
          Заявлено: number(receipt.expected_qty),
          Принято: number(receipt.accepted_qty),
          'Не хватает': short > 0 && number(short),
          'Сверх заявки': surplus > 0 && number(surplus),
        }}
      />
      {!isCounted && may('owner') && <PlannedCost id={receipt.id} />}
      {!isCounted && <BoxLabels id={receipt.id} />}
      <h2>Состав</h2>
      <SheetRead sheet={query.sheet} />
      <Table
        name="Состав приёмки"
        rows={items}
        keyOf={({ barcode }) => barcode}
        files={<ObjectFiles list="receipt-items" id={receipt.id} />}
        columns={[
          { title: 'Товар', cell: ({ name }) => <Long text={name} /> },
          { title: 'Заявлено', end: true, cell: ({ expected_qty }) => number(expected_qty) },
          {
            title: 'Принято',
            end: true,
            cell: ({ accepted_qty }) => number(accepted_qty),
          },
          {
            title: 'Расхождение',
            end: true,
            cell: ({ accepted_qty: came, expected_qty: expected }) =>
              isCounted ? <Difference units={came - expected} /> : '—',
          },
          { title: 'Причина недостачи', cell: ({ shortage_reason }) => shortage_reason ?? '—' },
          { title: 'Артикул', cell: ({ article }) => <Long text={article} /> },
          { title: 'Штрихкод', cell: ({ barcode }) => <code>{barcode}</code> },
        ]}
      />
      <ObjectPhotos of="receipts" id={receipt.id} />
      <AskByApi paths={[`/receipts/${receipt.id}`]} />
    </Page>
  )
}

/** What an announced delivery would cost; nothing where the warehouse has no prices for it. */
function PlannedCost({ id }: { readonly id: string }) {
  const { data } = useAnswer(`cost of ${id}`, (signal) =>
    account('GET /receipts/{id}/cost', { path: { id }, signal }),
  )
  const parts = [
    data?.receiving && `приёмка ${roublesText(data.receiving)}`,
    data?.storage_day && `хранение ${roublesText(data.storage_day)} в день`,
  ].filter((part) => !!part)
  if (parts.length === 0) return null
  return <p>По ценам на сегодня: {parts.join(', ')}.</p>
}
