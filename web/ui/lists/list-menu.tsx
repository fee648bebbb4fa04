import { useId } from 'preact/hooks'
import { useAddress } from '../address.ts'
import { Failure } from '../failure.tsx'
import { submits, useAction } from '../forms/use-action.ts'
import { showToast } from '../toast.tsx'
import { isViewOf, type SavedView } from './saved-views.ts'
import { type Column, turned } from './table.tsx'
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
  const { path } = useAddress()
  const { views, keep, latest, shared } = useSavedViews()
  return (
    <div class="stack">
      <h2 class="small">Сохранённые виды</h2>
      {views
        .filter((view) => isViewOf(path, view))
        .map((view) => (
          <View
            key={view.name}
            view={view}
            remove={() => {
              keep(views.filter((each) => each !== view))
              showToast(`Вид «${view.name}» удалён`, async () => keep([...latest(), view]))
            }}
          />
        ))}
      {shared?.views
        .filter((view) => isViewOf(path, view))
        .map((view) => (
          <View
            key={view.id}
            view={view}
            from={view.own ? 'для всех' : view.savedBy}
            remove={
              view.own
                ? async () => {
                    await shared.remove(view)
                    showToast(`Вид «${view.name}» удалён`, () => shared.share(view))
                  }
                : undefined
            }
          />
        ))}
      <NewView />
    </div>
  )
}

interface ViewProps {
  readonly view: SavedView
  /** Whose it is. */
  readonly from?: string
  readonly remove: (() => unknown) | undefined
}

function View({ view: { name, href }, from, remove }: ViewProps) {
  return (
    <div class="row">
      <a href={href} onClick={(event) => closeMenuOf(event.currentTarget)}>
        {name}
      </a>
      {from !== undefined && <span class="quiet small">{from}</span>}
      {remove && (
        <button
          type="button"
          class="plain"
          aria-label={`Удалить вид «${name}»`}
          onClick={(event) => {
            // The way back stands where the menu does.
            closeMenuOf(event.currentTarget)
            remove()
          }}
        >
          ×
        </button>
      )}
    </div>
  )
}

function NewView() {
  const { path, hrefWith } = useAddress()
  const { views, keep, shared } = useSavedViews()
  const save = async (form: HTMLFormElement) => {
    const data = new FormData(form)
    const name = String(data.get('view')).trim()
    if (name === '') return
    const view = { name, href: hrefWith({ cursor: undefined, form: undefined }) }
    if (data.has('shared')) await shared?.share(view)
    else keep([...views.filter((each) => each.name !== name || !isViewOf(path, each)), view])
    form.reset()
  }
  const saving = useAction(save)
  return (
    <form class="stack" onSubmit={submits(saving)}>
      <div class="row">
        <input name="view" aria-label="Название вида" placeholder="Название вида" maxLength={60} />
        <button type="submit" disabled={saving.busy}>
          Сохранить
        </button>
      </div>
      {shared && (
        <label class="check">
          <input type="checkbox" name="shared" />
          <span>Показать коллегам</span>
        </label>
      )}
      <Failure error={saving.error} />
    </form>
  )
}

function closeMenuOf(link: Element): void {
  link.closest<HTMLElement>('[popover]')?.hidePopover()
}
