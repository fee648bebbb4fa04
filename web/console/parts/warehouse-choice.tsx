import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Choice } from '../../ui/forms/form.tsx'

export function useWarehouses() {
  return useAnswer('warehouses', (signal) =>
    staff('GET /warehouses', { query: { limit: 200 }, signal }),
  )
}

/** Which warehouse; nothing to choose where there is one. */
export function WarehouseChoice({ value }: { readonly value?: string | undefined }) {
  const { data, error } = useWarehouses()
  const options = data?.items.map(({ code, name }) => ({
    value: code,
    text: `${code} · ${name}`,
  }))
  return (
    <Choice name="warehouse_code" label="Склад" options={options} error={error} value={value} />
  )
}
