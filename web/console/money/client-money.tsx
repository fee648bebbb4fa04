import type { Client } from '../../api/staff-calls.ts'
import { useAddress } from '../../ui/address.ts'
import { ClientActs } from './client-acts.tsx'
import { ClientCharges } from './client-charges.tsx'
import { ClientTariff } from './client-tariff.tsx'

const parts = {
  charges: 'Начисления',
  tariff: 'Тариф и хранение',
  acts: 'Акты',
} as const

/** What a client is charged, by which tariff, and the acts. */
export function ClientMoney({ client }: { readonly client: Client }) {
  const { path, query } = useAddress()
  const part = query.part === 'tariff' || query.part === 'acts' ? query.part : 'charges'
  return (
    <div class="stack">
      <nav class="row" aria-label="Деньги">
        {Object.entries(parts).map(([name, title]) => (
          <a
            key={name}
            class="button"
            aria-current={name === part ? 'true' : undefined}
            href={`${path}?tab=money&part=${name}`}
          >
            {title}
          </a>
        ))}
      </nav>
      {part === 'charges' && <ClientCharges client={client} />}
      {part === 'tariff' && <ClientTariff client={client} />}
      {part === 'acts' && <ClientActs clientId={client.id} />}
    </div>
  )
}
