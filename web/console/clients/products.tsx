import { useState } from 'preact/hooks'
import type { Product } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Check, TextField } from '../../ui/forms/form.tsx'
import { Beside } from '../../ui/heading.tsx'
import { ChoiceFilter } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { Search } from '../../ui/lists/search.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { MeasuresFile } from './measures-file.tsx'
import { ProductAssemblies } from './product-assemblies.tsx'
import { ProductBarcodes } from './product-barcodes.tsx'
import { ProductLots } from './product-lots.tsx'
import { ProductMeasures } from './product-measures.tsx'
import { ProductMerging } from './product-merging.tsx'
import { ProductParts } from './product-parts.tsx'
import { ProductPicture } from './product-picture.tsx'
import { SetsFile } from './sets-file.tsx'

const measuredWords = { false: 'Без размеров', true: 'Измеренные' } as const

const measuredIn = (text: string | undefined) =>
  text === 'true' || text === 'false' ? text : undefined

export function Products({ clientId }: { readonly clientId: string }) {
  const { query, hrefWith, go } = useAddress()
  const [version, setVersion] = useState(0)
  const columns: readonly Column<Product>[] = [
    {
      title: 'Товар',
      cell: ({ name, barcode, picture }) => (
        <div class="pictured">
          <Picture src={picture} name={name} />
          <a href={hrefWith({ product: barcode, form: undefined })}>{name}</a>
        </div>
      ),
    },
    {
      title: 'Штрихкод',
      cell: ({ barcode, other_barcodes: others = [] }) => (
        <>
          <code>{barcode}</code>
          {others.length > 0 && <span class="small quiet"> и ещё {others.length}</span>}
        </>
      ),
    },
    { title: 'Артикул', cell: ({ article }) => article ?? '' },
    { title: 'Маркировка', cell: ({ honest_mark: marked }) => (marked ? 'Честный знак' : '') },
  ]
  const onSaved = () => {
    setVersion((last) => last + 1)
    go({ product: undefined, form: undefined })
  }
  const form =
    query.form === 'new' ? (
      <ProductForm key="new" clientId={clientId} onSaved={onSaved} />
    ) : query.form === 'measures' ? (
      <MeasuresFile key="measures" clientId={clientId} onMeasured={onSaved} />
    ) : query.form === 'sets' ? (
      <SetsFile key="sets" clientId={clientId} onComposed={onSaved} />
    ) : (
      query.product !== undefined && (
        <KnownProduct
          key={query.product}
          clientId={clientId}
          barcode={query.product}
          onSaved={onSaved}
          onChanged={() => setVersion((last) => last + 1)}
        />
      )
    )
  return (
    <Beside form={form}>
      <div class="row">
        <a class="button primary" href={hrefWith({ form: 'new', product: undefined })}>
          Завести товар
        </a>
        <a class="button" href={hrefWith({ form: 'measures', product: undefined })}>
          Размеры из таблицы
        </a>
        <a class="button" href={hrefWith({ form: 'sets', product: undefined })}>
          Наборы из таблицы
        </a>
      </div>
      <Search label="Название или артикул" />
      <div class="row">
        <ChoiceFilter name="measured" label="Размеры" options={measuredWords} />
      </div>
      <List
        name="Товары"
        of={`${clientId} ${query.search ?? ''} ${query.measured ?? ''}`}
        version={version}
        columns={columns}
        keyOf={({ barcode }) => barcode}
        ask={({ signal, ...page }) =>
          staff('GET /clients/{id}/products', {
            path: { id: clientId },
            query: { search: query.search, measured: measuredIn(query.measured), ...page },
            signal,
          })
        }
        files={
          <ExportLinks
            list="products"
            filter={{
              client_id: clientId,
              search: query.search,
              measured: measuredIn(query.measured),
            }}
          />
        }
        empty={
          query.search || query.measured
            ? 'Ничего не нашли: проверьте название, артикул и фильтр.'
            : 'Товаров ещё нет: они появятся с первой приёмкой, из карточек кабинета, или заведите их сами.'
        }
      />
    </Beside>
  )
}

interface KnownProductProps {
  readonly clientId: string
  readonly barcode: string
  readonly onSaved: () => void
  readonly onChanged: () => void
}

function KnownProduct({ clientId, barcode, onSaved, onChanged }: KnownProductProps) {
  const { data, error, reload } = useAnswer(`product ${clientId} ${barcode}`, (signal) =>
    staff('GET /clients/{id}/products/{barcode}', { path: { id: clientId, barcode }, signal }),
  )
  const { hrefWith } = useAddress()
  if (data === undefined) return <Waiting error={error} retry={reload} />
  if (data.merged_into !== undefined) {
    return (
      <p>
        Товар «{data.name}», <code>{data.barcode}</code>, объединён с товаром{' '}
        <a href={hrefWith({ product: data.merged_into })}>{data.merged_into}</a>.
      </p>
    )
  }
  return (
    <div class="stack">
      <ProductForm clientId={clientId} product={data} onSaved={onSaved} />
      <ProductMeasures product={data} onMeasured={onChanged} />
      <ProductLots product={data} />
      <ProductBarcodes product={data} onChanged={reload} />
      <ProductParts product={data} onChanged={reload} />
      {data.parts !== undefined && <ProductAssemblies product={data} onMoved={reload} />}
      <ProductPicture product={data} onChanged={reload} />
      <ProductMerging
        product={data}
        onMerged={() => {
          reload()
          onChanged()
        }}
      />
    </div>
  )
}

interface ProductFormProps {
  readonly clientId: string
  readonly product?: Product
  readonly onSaved: () => void
}

function ProductForm({ clientId, product, onSaved }: ProductFormProps) {
  return (
    <OpenedForm
      title={product === undefined ? 'Новый товар' : 'Товар'}
      submit={product === undefined ? 'Завести' : 'Сохранить'}
      by={['product', 'form']}
      act={async (values) => {
        const barcode = product?.barcode ?? values.text('barcode')
        await staff('PUT /clients/{id}/products/{barcode}', {
          path: { id: clientId, barcode },
          body: {
            name: values.text('name'),
            article: values.optional('article') ?? null,
            honest_mark: values.isChecked('honest_mark'),
          },
        })
        onSaved()
      }}
    >
      {product === undefined ? (
        <TextField name="barcode" label="Штрихкод" required autofocus />
      ) : (
        <p>
          Штрихкод <code>{product.barcode}</code>
        </p>
      )}
      <TextField name="name" label="Название" defaultValue={product?.name ?? ''} required />
      <TextField name="article" label="Артикул" defaultValue={product?.article ?? ''} />
      <Check
        name="honest_mark"
        label="Подлежит маркировке «Честный знак»"
        checked={product?.honest_mark ?? false}
      />
    </OpenedForm>
  )
}
