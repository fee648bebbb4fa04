import { useEffect, useRef, useState } from 'preact/hooks'
import type { Warehouse } from '../../api/staff-calls.ts'
import { useSession } from '../../staff/session.tsx'
import { useClient } from '../parts/client-name.tsx'
import { ClientPicker } from '../parts/client-picker.tsx'
import { useWarehouses } from '../parts/warehouse-choice.tsx'
import { isAtLeast } from '../rooms.ts'
import { readScope } from './kept.ts'
import type { ChosenScope } from './use-scope.ts'

type Choosing = Pick<ChosenScope, 'scope' | 'choose'>

/** Says in the frame of which warehouse and client the pages show everything, and changes it. */
export function ScopeChoice({ scope, choose }: Choosing) {
  const { user } = useSession()
  const { data: warehouses } = useWarehouses()
  const hasClients = isAtLeast(user, 'manager')
  const client = useClient(hasClients ? scope.client_id : undefined)
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
  }, [isOpen])
  const hasWarehouses = (warehouses?.items.length ?? 0) > 1
  const isChosen = scope.client_id !== undefined || scope.warehouse_code !== undefined
  if (!hasClients && !hasWarehouses && !isChosen) return null
  const warehouse = warehouses?.items.find(({ code }) => code === scope.warehouse_code)
  const names = [client?.name, warehouse?.name].filter((name) => name !== undefined)
  return (
    <div class={isChosen ? 'scope chosen' : 'scope'}>
      <button type="button" class="scope-button" onClick={() => setOpen(true)}>
        <span class="visually-hidden">Показано: </span>
        <span class="scope-name">
          {isChosen ? names.join(' · ') || 'Выбранное' : hasClients ? 'Все клиенты' : 'Все склады'}
        </span>
      </button>
      {isChosen && (
        <button
          type="button"
          class="plain scope-clear"
          aria-label="Показывать всё"
          title="Показывать всё"
          onClick={() => choose({})}
        >
          ×
        </button>
      )}
      <dialog ref={dialog} aria-labelledby="scope-title" onClose={() => setOpen(false)}>
        {isOpen && (
          <Question
            scope={scope}
            choose={choose}
            warehouses={hasWarehouses ? (warehouses?.items ?? []) : []}
            hasClients={hasClients}
            close={() => dialog.current?.close()}
          />
        )}
      </dialog>
    </div>
  )
}

interface QuestionProps extends Choosing {
  readonly warehouses: readonly Warehouse[]
  readonly hasClients: boolean
  readonly close: () => void
}

function Question({ scope, choose, warehouses, hasClients, close }: QuestionProps) {
  return (
    <div class="stack">
      <h2 id="scope-title">Что показывать</h2>
      <p class="quiet">
        Первая страница, списки и числа меню покажут только это, пока вы не вернёте всё.
      </p>
      {warehouses.length > 0 && (
        <label class="field">
          Склад
          <select
            value={scope.warehouse_code ?? ''}
            onChange={({ currentTarget: { value } }) =>
              choose(readScope({ ...scope, warehouse_code: value }))
            }
          >
            <option value="">Все склады</option>
            {warehouses.map(({ code, name }) => (
              <option key={code} value={code}>
                {code} · {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {hasClients && (
        <ClientPicker
          label="Клиент"
          clientId={scope.client_id}
          onPick={(id) => choose(readScope({ ...scope, client_id: id }))}
        />
      )}
      <div class="row">
        <button type="button" class="primary" onClick={close}>
          Готово
        </button>
        {(scope.client_id ?? scope.warehouse_code) !== undefined && (
          <button type="button" onClick={() => choose({})}>
            Показывать всё
          </button>
        )}
      </div>
    </div>
  )
}
