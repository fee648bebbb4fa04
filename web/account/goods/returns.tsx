import type { Return } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Facts } from '../../ui/facts.tsx'
import { List, listRefreshMs } from '../../ui/lists/list.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { account } from '../api.ts'
import { AskByApi } from '../parts/copy.tsx'
import { ListFiles, ObjectFiles } from '../parts/list-files.tsx'
import { ObjectPhotos } from '../parts/object-photos.tsx'
import { Badge, Long, OneLoaded, Page, Status } from '../parts/page.tsx'
import { paths } from '../paths.ts'

const columns: readonly Column<Return>[] = [
  { title: 'Номер', cell: ({ number }) => <span class="whole">{number}</span> },
  {
    title: 'Состояние',
    main: true,
    cell: ({ status, status_label }) => <Status status={status} label={status_label} />,
  },
  { title: 'Единиц', end: true, cell: ({ qty }) => number(qty) },
  { title: 'Годных', end: true, cell: ({ sellable_qty }) => number(sellable_qty) },
  { title: 'Под вопросом', end: true, cell: ({ in_question_qty }) => number(in_question_qty) },
  { title: 'Начат', cell: ({ created_at }) => <Moment at={created_at} /> },
  { title: 'Завершён', cell: ({ finished_at }) => <Moment at={finished_at} /> },
]

export function Returns() {
  return (
    <Page title="Возвраты">
      <List
        of="returns"
        name="Возвраты"
        columns={columns}
        keyOf={({ id }) => id}
        href={({ id }) => paths.returnBatch(id)}
        ask={({ signal, ...page }) => account('GET /returns', { query: page, signal })}
        files={<ListFiles list="returns" />}
        empty={<p>Возвратов ещё не было. Они появятся, когда склад примет первый.</p>}
      />
      <AskByApi paths={['/returns']} />
    </Page>
  )
}

const conditions = {
  sellable: <Badge tone="good">Годен</Badge>,
  damaged: <Badge tone="bad">Повреждён</Badge>,
  unknown: <Badge tone="warn">Под вопросом</Badge>,
} as const

const above = { href: paths.returns, title: 'Возвраты' }

export function ReturnPage({ id }: { readonly id: string }) {
  const answer = useAnswer(
    `return ${id}`,
    (signal) => account('GET /returns/{id}', { path: { id }, signal }),
    { refreshMs: listRefreshMs },
  )
  return (
    <OneLoaded answer={answer} title="Возврат" missing="Такого возврата нет" above={above}>
      {(batch) => (
        <Page title={`Возврат ${batch.number}`} above={above}>
          <Facts
            of={{
              Состояние: <Status status={batch.status} label={batch.status_label} />,
              Единиц: number(batch.qty),
              Годных: number(batch.sellable_qty),
              'Под вопросом': number(batch.in_question_qty),
              Начат: <Moment at={batch.created_at} />,
              Завершён: batch.finished_at && <Moment at={batch.finished_at} />,
            }}
          />
          <h2>Состав</h2>
          <Table
            name="Состав возврата"
            rows={(batch.items ?? []).map((item, at) => ({ ...item, at }))}
            keyOf={({ at }) => String(at)}
            files={<ObjectFiles list="return-items" id={batch.id} />}
            columns={[
              { title: 'Товар', cell: ({ name }) => <Long text={name} /> },
              { title: 'Штрихкод', cell: ({ barcode }) => <code>{barcode}</code> },
              { title: 'Единиц', end: true, cell: ({ qty }) => number(qty) },
              { title: 'Состояние', main: true, cell: ({ condition }) => conditions[condition] },
              { title: 'Причина', cell: ({ reason }) => reason ?? '—' },
              {
                title: 'Заказ',
                cell: ({ order_id, order_external_id }) =>
                  order_id === null ? (
                    '—'
                  ) : (
                    <a href={paths.order(order_id)}>
                      <Long text={order_external_id} />
                    </a>
                  ),
              },
            ]}
          />
          <ObjectPhotos of="returns" id={batch.id} />
          <AskByApi paths={[`/returns/${batch.id}`]} />
        </Page>
      )}
    </OneLoaded>
  )
}
