import { useEffect } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'

/** The client of the address. Where the warehouse has one client alone, nobody has to choose it. */
export function useChosenClient(): string | undefined {
  const {
    query: { client_id: chosen },
    go,
  } = useAddress()
  const { data } = useAnswer(`the only client, if not ${chosen ?? 'chosen'}`, async (signal) =>
    chosen === undefined ? staff('GET /clients', { query: { limit: 2 }, signal }) : undefined,
  )
  const only = data?.items.length === 1 ? data.items[0]?.id : undefined
  useEffect(() => {
    if (chosen === undefined && only !== undefined) go({ client_id: only }, true)
  }, [chosen, only])
  return chosen
}
