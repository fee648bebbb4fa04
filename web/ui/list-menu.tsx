import { useId } from 'preact/hooks'
import { useAddress } from './address.ts'
import { isViewOf } from './saved-views.ts'
import { type Column, turned } from './table.tsx'
import { showToast } from './toast.tsx'
import { useSavedViews } from './use-saved-views.ts'

/** The address names hidden columns by their places, so that a link shows the same to everybody. */
export function visibleColumns<T, Order extends string>(
  columns: readonly Column<T, Order>[],
  hide: string | undefined,
): readonly Column<T, Order>[] {
  const hidden = placesOf(hide)
  return columns.filter((_, place) => place === 0 || !hidden.has(String(place)))
}

function placesOf(hide = ''): Set<string> {
  return new Set(hide.split('.').filter((place) => place !== ''))
}

interface ListMenuProps {
  readonly columns: readonly Titled[]
  /** The order that is shown, where the list tells. */
  readonly order: string | undefined
}

type Titled = Pick<Column<never, string>, 'title' | 'sort'>

/** How the list is ordered, which columns it shows, and the views of it that its user has saved. */
export function ListMenu({ columns, order }: ListMenuProps) {
  const id = useId()
  return (
    <>
      <button type="button" class="plain" popovertarget={`${id}-menu`}>
        Вид списка
      </button>
      <div id={`${id}-menu`} popover="auto" class="menu stack">
        <Orders columns={columns} order={order} />
        <Columns columns={columns} />
        <SavedViews />
      </div>
    </>
  )
}

/** The heads of the columns order a list, too, but cards have none. */
function Orders({ columns, order }: ListMenuProps) {
  const { go } = useAddress()
  const id = useId()
  const orders = columns.flatMap(({ title, sort }) =>
    sort === undefined ? [] : [{ title, orders: [sort, turned(sort)] }],
  )
  if (orders.length === 0) return null
  return (
    <div class="field">
      <label for={id}>Сортировка</label>
      <select
        id={id}
        value={order ?? ''}
        onChange={(event) => go({ sort: event.currentTarget.value, cursor: undefined })}
      >
        {order === undefined && <option value="">Обычная</option>}
        {orders.map(({ title, orders }) =>
          orders.map((each) => (
            <option key={each} value={each}>
              {title}, {each.startsWith('-') ? 'по убыванию' : 'по возрастанию'}
            </option>
          )),
        )}
      </select>
    </div>
  )
}

function Columns({ columns }: Pick<ListMenuProps, 'columns'>) {
  const { query, go } = useAddress()
  const hidden = placesOf(query.hide)
  const toggle = (place: string) => {
    if (!hidden.delete(place)) hidden.add(place)
    go({ hide: [...hidden].join('.') }, true)
  }
  return (
    <fieldset class="stack">
      <legend>Столбцы</legend>
      {columns.slice(1).map(({ title }, index) => (
        <label key={title} class="check">
          <input
            type="checkbox"
            checked={!hidden.has(String(index + 1))}
            onChange={() => toggle(String(index + 1))}
          />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  )
}

function SavedViews() {
  const { path, hrefWith } = useAddress()
  const { views, keep, latest } = useSavedViews()
  return (
    <div class="stack">
      <h2 class="small">Сохранённые виды</h2>
      {views
        .filter((view) => isViewOf(path, view))
        .map((view) => (
          <div key={view.name} class="row">
            <a href={view.href} onClick={(event) => closeMenuOf(event.currentTarget)}>
              {view.name}
            </a>
            <button
              type="button"
              class="plain"
              aria-label={`Удалить вид «${view.name}»`}
              onClick={(event) => {
                // The way back stands where the menu does.
                closeMenuOf(event.currentTarget)
                keep(views.filter((each) => each !== view))
                showToast(`Вид «${view.name}» удалён`, async () => keep([...latest(), view]))
              }}
            >
              ×
            </button>
          </div>
        ))}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          const name = String(new FormData(event.currentTarget).get('view')).trim()
          const others = views.filter((view) => view.name !== name || !isViewOf(path, view))
          const href = hrefWith({ cursor: undefined, form: undefined })
          if (name !== '') keep([...others, { name, href }])
          event.currentTarget.reset()
        }}
      >
        <input name="view" aria-label="Название вида" placeholder="Название вида" maxLength={60} />
        <button type="submit">Сохранить</button>
      </form>
    </div>
  )
}

function closeMenuOf(link: Element): void {
  link.closest<HTMLElement>('[popover]')?.hidePopover()
}
