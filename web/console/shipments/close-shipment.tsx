import { staff } from '../../staff/api.ts'
import { plural } from '../../words/format.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { showToast } from '../parts/toast.tsx'

interface CloseShipmentProps {
  readonly id: string
  readonly name: string
  readonly orders: number
  /** Why it can't be closed now; undefined where it can. */
  readonly because?: string | undefined
  readonly done: () => void
}

/** Hands a shipment over: its units leave the stock. */
export function CloseShipment({ id, name, orders, because, done }: CloseShipmentProps) {
  return (
    <ConfirmButton
      label="Закрыть"
      question={`Закрыть отгрузку ${name}?`}
      consequence={`${plural(orders, 'заказ уедет', 'заказа уедут', 'заказов уедут')}, товар спишется с остатков. Вернуть отгрузку в сборку будет нельзя.`}
      because={because}
      act={async () => {
        await staff('POST /shipments/{id}/close', { path: { id } })
        showToast(`Отгрузка ${name} закрыта`)
        done()
      }}
    />
  )
}
