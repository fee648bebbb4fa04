import { useLayoutEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { newId } from '../../api/new-id.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { Frame } from '../frame.tsx'
import { paths } from '../paths.ts'
import { signal } from '../scan/signal.ts'
import { listen } from '../scan/wedge.ts'

interface Owner {
  readonly id: string
  readonly name: string
}

/** Goods that came without a document: a scan of any of them says whose they are, and counting begins. */
export function WalkIn() {
  const { route } = useLocation()
  const [owners, setOwners] = useState<readonly Owner[]>()
  const [scanId] = useState(newId)
  const finding = useAction(async (code: string) => {
    const { matches } = await staff('GET /lookup', { query: { code } })
    const found = new Map(
      matches.flatMap(({ client_id: id, client_name: name }) =>
        id === null ? [] : [[id, { id, name: name ?? id }] as const],
      ),
    )
    signal(found.size === 0 ? 'alarm' : 'good')
    setOwners([...found.values()])
  })
  const opening = useAction(async (clientId: string) => {
    const body = { client_id: clientId, scan_id: scanId + clientId.slice(-12) }
    const { id } = await staff('POST /receipts/walk-in', { body })
    route(paths.receiving(id))
  })
  useLayoutEffect(() => listen((code) => void finding.run(code)), [])
  return (
    <Frame title="Приёмка без документа" back={paths.home}>
      <div class="home">
        <p>Отсканируйте товар, короб или любой код клиента, чей товар приехал.</p>
        <Failure error={finding.error} />
        <Failure error={opening.error} />
        {owners?.length === 0 && (
          <p class="notice bad">
            Склад не знает этого кода. Отсканируйте другой, или пусть менеджер заведёт приёмку.
          </p>
        )}
        {owners !== undefined && owners.length > 0 && <h2>Чей это товар?</h2>}
        {owners?.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            class="wide"
            disabled={opening.busy}
            onClick={() => opening.run(id)}
          >
            {name}
          </button>
        ))}
      </div>
    </Frame>
  )
}
