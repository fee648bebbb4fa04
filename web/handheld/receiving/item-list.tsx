import type { StaffReceiptItem } from '../../api/staff-calls.ts'
import { Thumbnail } from '../../ui/picture.tsx'
import { number } from '../../words/format.ts'

const shownMax = 100

interface ItemListProps {
  readonly items: readonly StaffReceiptItem[]
  /** Without a document every item is unlisted. */
  readonly isWalkIn: boolean
}

/** What is still to come first, what is complete last. */
export function ItemList({ items, isWalkIn }: ItemListProps) {
  const isComplete = (item: StaffReceiptItem) => item.accepted_qty >= item.expected_qty
  const sorted = [
    ...items.filter((item) => !isComplete(item)),
    ...items.filter((item) => isComplete(item)),
  ]
  if (items.length === 0) return <p class="quiet">Сканируйте товар</p>
  return (
    <ul class="lines">
      {sorted.slice(0, shownMax).map((item) => (
        <li key={item.barcode} class={isComplete(item) ? 'complete' : ''}>
          <Thumbnail src={item.picture} name={item.name} />
          <span class="line-name">
            {item.name}
            {item.unlisted && !isWalkIn && (
              <>
                <br />
                <span class="small quiet">нет в документе</span>
              </>
            )}
          </span>
          <span class="qty">
            {number(item.accepted_qty)}
            {item.expected_qty > 0 && ` из ${number(item.expected_qty)}`}
          </span>
        </li>
      ))}
      {sorted.length > shownMax && <li>и ещё {number(sorted.length - shownMax)}</li>}
    </ul>
  )
}
