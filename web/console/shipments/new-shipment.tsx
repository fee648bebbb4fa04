import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { wrongField } from '../../api/caller.ts'
import type { StaffCabinet } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Choice, TextField } from '../../ui/forms/form.tsx'
import { ClientPicker } from '../parts/client-picker.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { pathOf } from '../paths.ts'
import { useCabinets } from '../receipts/goods-owner.tsx'
import { clientOf } from '../receipts/new-receipt.tsx'

/** Opens an empty shipment of a cabinet; its orders are added on its page. */
export function NewShipment() {
  const { route } = useLocation()
  const { query } = useAddress()
  const [client, setClient] = useState(query.client_id)
  return (
    <OpenedForm
      title="Новая отгрузка"
      submit="Открыть"
      busy="Открываем…"
      act={async (values) => {
        clientOf(values)
        const cabinet = values.optional('cabinet_id')
        if (cabinet === undefined) throw wrongField('cabinet_id', noCabinets)
        const shipment = await staff('POST /shipments', {
          body: {
            cabinet_id: cabinet,
            external_id: values.optional('external_id'),
            name: values.optional('name'),
          },
        })
        route(pathOf('shipment', shipment.id, 'orders'))
      }}
    >
      <ClientPicker name="client_id" label="Чьи заказы" clientId={client} onPick={setClient} />
      {client !== undefined && <Cabinets clientId={client} />}
      <TextField
        name="external_id"
        label="Номер"
        hint="Можно не заполнять: подключённому кабинету его даст маркетплейс, остальным — Sklad"
      />
      <TextField name="name" label="Название" />
    </OpenedForm>
  )
}

const noCabinets =
  'у клиента нет кабинетов, чьи отгрузки собирают здесь: подключите кабинет или откройте отгрузку на маркетплейсе'

function Cabinets({ clientId }: { readonly clientId: string }) {
  const { options, error } = useCabinets(clientId, shipsHere)
  return (
    <Choice
      name="cabinet_id"
      label="Кабинет"
      hint="Только кабинеты, чьи отгрузки собирают здесь"
      options={options}
      error={error}
    />
  )
}

/** Shipments of other cabinets are made on the marketplace and come from there. */
const shipsHere = ({ shipments }: StaffCabinet) => shipments === 'ours'
