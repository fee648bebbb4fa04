import type { KnownGoods } from '../clients/known-goods.ts'
import { ApiError, invalidField } from '../kernel/errors.ts'

/** Goods of a delivery, of which a known name and article may be left out. */
interface Item {
  readonly barcode: string
  readonly name?: string | undefined
  readonly article?: string | undefined
  /** The row of the file it came from. */
  readonly row?: number
}

type Named<I> = I & { readonly name: string; readonly article: string | null | undefined }

/** What one message may tell of. */
const problemsMax = 50

/**
 * The goods with the names and articles that they leave out. Throws validation_error where nobody
 * knows a name: of the first item that lacks it, or of every row of a file.
 */
export function named<I extends Item>(
  items: readonly I[],
  known: ReadonlyMap<string, KnownGoods>,
): Named<I>[] {
  const goods = items.map((item) => {
    const { name, article } = known.get(item.barcode) ?? {}
    return { ...item, name: item.name ?? name, article: item.article ?? article }
  })
  refuseNameless(goods)
  return goods.map((item) => ({ ...item, name: item.name ?? '' }))
}

function refuseNameless(goods: readonly Pick<Item, 'barcode' | 'name' | 'row'>[]): void {
  const nameless = goods.filter(({ name }) => name === undefined)
  const [first] = nameless
  if (first === undefined) return
  if (first.row === undefined) {
    throw invalidField(`items[${goods.indexOf(first)}].name`, rule(first))
  }
  const problems = nameless
    .slice(0, problemsMax)
    .map((item) => `строка ${item.row}, столбец name (название): ${rule(item)}`)
  throw new ApiError(
    'validation_error',
    `Файл не принят, строк без названия: ${nameless.length}:\n${problems.join('\n')}`,
  )
}

function rule({ barcode }: Pick<Item, 'barcode'>): string {
  return `товар ${barcode} складу ещё не известен, укажите название`
}
