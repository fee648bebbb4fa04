import { staff } from '../../staff/api.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useModule } from '../../ui/use-module.ts'
import { plural } from '../../words/format.ts'
import type { Marks } from './mark-figures.tsx'

interface CloseShipmentProps {
  readonly id: string
  readonly name: string
  readonly orders: number
  /** Null where it is picked elsewhere. */
  readonly task: string | null
  /** Why it can't be closed now; undefined where it can. */
  readonly because?: string | undefined
  readonly marks?: Marks | undefined
  readonly primary?: boolean
  readonly done: () => void
}

/** Hands a shipment over: its units leave the stock. */
export function CloseShipment(props: CloseShipmentProps) {
  const { id, name, orders, task, because, marks, primary = false, done } = props
  const refused = marks?.refused?.length ?? 0
  return (
    <ConfirmButton
      primary={primary}
      label="Закрыть"
      question={`Закрыть отгрузку ${name}?`}
      consequence={`${plural(orders, 'заказ уедет', 'заказа уедут', 'заказов уедут')}, товар спишется с остатков. Вернуть отгрузку в сборку будет нельзя.${stillChecked(marks)}`}
      because={refused > 0 ? refusedCodes(refused) : because}
      whenAsked={() => task !== null && <Unchecked task={task} />}
      act={async () => {
        await staff('POST /shipments/{id}/close', { path: { id } })
        showToast(`Отгрузка ${name} закрыта`)
        done()
      }}
    />
  )
}

function Unchecked({ task }: { readonly task: string }) {
  const loaded = useModule(() => import('./unchecked-parcels.tsx'))
  return loaded === undefined ? null : <loaded.UncheckedParcels task={task} />
}

const refusedCodes = (count: number) =>
  `Маркетплейс не принял коды: ${count}. Соберите другие единицы или перенесите заказы в следующую отгрузку`

/** Said beforehand: the marketplace refuses the whole shipment for one code, and OZON for one that it still checks. */
function stillChecked(marks: Marks | undefined): string {
  if (marks === undefined || marks.waiting === 0) return ''
  return ` Маркетплейс ещё проверяет коды (${marks.waiting}): пока он их не принял, отгрузка может не закрыться.`
}
