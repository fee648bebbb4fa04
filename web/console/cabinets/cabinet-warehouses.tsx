import type { CabinetWarehouses as Answer, StaffCabinet } from '../../api/staff-calls.ts'
import { useAnswer, useWhileSeen } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Check, Form } from '../../ui/forms/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { plural } from '../../words/format.ts'
import { schemeWords } from '../orders/words.ts'

interface CabinetWarehousesProps {
  readonly cabinet: StaffCabinet
  readonly onSaved: () => void
}

/** How soon a choice that the service makes is looked for. */
const watchMs = 2_000

/** Which of the seller's warehouses at the marketplace are ours. */
export function CabinetWarehouses(props: CabinetWarehousesProps) {
  if (props.cabinet.has_credentials) return <WarehouseForm {...props} />
  return <p class="empty">Склады станут видны, когда у кабинета будут ключи маркетплейса.</p>
}

function WarehouseForm({ cabinet, onSaved }: CabinetWarehousesProps) {
  const path = { id: cabinet.id }
  const { data, error, reload } = useAnswer(
    `warehouses of ${cabinet.id} ${cabinet.warehouses}`,
    (signal) => staff('GET /cabinets/{id}/warehouses', { path, signal }),
  )
  const eligible = data?.items.filter(({ scheme }) => scheme === undefined || scheme === 'fbs')
  // Then the service chooses: at once, or as soon as the seller has made one.
  const choosesItself = cabinet.needs_warehouses && eligible !== undefined && isClear(eligible)
  useWhileSeen(choosesItself ? watchMs : undefined, onSaved)
  if (data === undefined) return <Waiting error={error} retry={reload} />
  if (choosesItself) return <OnlyWarehouse marketplace={cabinet.marketplace} only={eligible[0]} />
  return (
    <section class="panel narrow">
      <Form
        title="Заказы каких складов собирают здесь"
        submit={cabinet.needs_warehouses ? 'Начать загрузку заказов' : 'Сохранить выбор'}
        act={async (values) => {
          const warehouses = values.all('warehouses')
          await staff('PATCH /cabinets/{id}', { path, body: { warehouses } })
          showToast(cabinet.needs_warehouses ? 'Заказы загружаются' : 'Выбор сохранён')
          reload()
          onSaved()
        }}
      >
        {cabinet.needs_warehouses && (
          <p class="notice warn">
            Пока склады не выбраны, новые заказы не загружаются. Отметьте те, чьи заказы собирают
            здесь.
          </p>
        )}
        {data.items.map((warehouse) => (
          <Check
            key={warehouse.id}
            name="warehouses"
            value={warehouse.id}
            label={warehouse.name ?? `Склад ${warehouse.id}`}
            hint={aboutWarehouse(warehouse)}
            checked={warehouse.ours}
          />
        ))}
        {data.left_out_elsewhere > 0 && (
          <p class="quiet small">
            Без склада осталось: {plural(data.left_out_elsewhere, 'заказ', 'заказа', 'заказов')} за
            14 дней.
          </p>
        )}
        <LeftOutSchemes schemes={data.left_out_schemes} />
      </Form>
    </section>
  )
}

/** Orders of other flows than FBS, apart from those of other warehouses. */
function LeftOutSchemes({ schemes }: { readonly schemes: Answer['left_out_schemes'] }) {
  if (schemes.length === 0) return undefined
  return (
    <div class="quiet small">
      <p>Продавец доставляет сам, здесь не собирают, за 14 дней:</p>
      <ul>
        {schemes.map(({ scheme, orders }) => (
          <li key={scheme}>
            {schemeWords(scheme)} — {plural(orders, 'заказ', 'заказа', 'заказов')}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Whether the service chooses by itself, once there is a warehouse. */
function isClear([only, ...others]: Answer['items']): boolean {
  return others.length === 0 && (only === undefined || only.scheme === 'fbs')
}

interface OnlyWarehouseProps {
  readonly marketplace: string
  readonly only: Answer['items'][number] | undefined
}

/** There is nothing to choose from. */
function OnlyWarehouse({ marketplace, only }: OnlyWarehouseProps) {
  return (
    <p class="notice warn">
      {only === undefined
        ? `В кабинете ${marketplace} нет склада FBS: попросите продавца создать его. Потом заказы загрузятся сами.`
        : `Склад FBS один: ${only.name ?? only.id}. Он выбирается сам, и заказы загружаются.`}
    </p>
  )
}

/** What the marketplaces say of a warehouse. */
const statusWords: Readonly<Record<string, string>> = {
  isDeleting: 'удаляется',
  isProcessing: 'настройки обновляются',
  new: 'новый',
  created: 'работает',
  disabled: 'отключён',
  blocked: 'заблокирован',
  disabled_due_to_limit: 'отключён: исчерпан лимит',
  error: 'с ошибкой',
}

function aboutWarehouse({ id, status, scheme, listed, left_out }: Answer['items'][number]): string {
  const facts = [
    `№ ${id}`,
    scheme?.toUpperCase(),
    status && (statusWords[status] ?? status),
    listed ? '' : 'маркетплейс его больше не называет',
  ]
  if (left_out > 0)
    facts.push(`не принято ${plural(left_out, 'заказ', 'заказа', 'заказов')} за 14 дней`)
  return facts.filter(Boolean).join(' · ')
}
