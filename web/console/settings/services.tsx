import { staff } from '../../staff/api.ts'
import { Heading } from '../../ui/heading.tsx'
import { paths } from '../paths.ts'
import { ServiceSwitch } from './service-switch.tsx'

/** What leaves the service: events to sellers, calls to marketplaces, and letters to people. */
export default function Services() {
  return (
    <div class="stack">
      <Heading title="Обмен" about="Что уходит со склада наружу" />
      <ServiceSwitch
        title="Вебхуки"
        on="отправляются"
        off="выключены, события ждут"
        hint="Пока они выключены, события ждут и уйдут, когда вебхуки включат. Подписки не меняются."
        ask={(signal) => staff('GET /webhooks-service', { signal })}
        put={(enabled) => staff('PUT /webhooks-service', { body: { enabled } })}
      />
      <ServiceSwitch
        title="Маркетплейсы"
        on="обмен идёт"
        off="обмен выключен"
        hint="Пока обмен выключен, заказы не приходят, а отгрузки и остатки не уходят."
        ask={(signal) => staff('GET /marketplaces-service', { signal })}
        put={(enabled) => staff('PUT /marketplaces-service', { body: { enabled } })}
      />
      <ServiceSwitch
        title="Письма с уведомлениями"
        on="отправляются"
        off="выключены, письма ждут"
        hint="Пока они выключены, письма и сообщения ждут. Уведомления на страницах появляются как всегда."
        ask={(signal) => staff('GET /notices-service', { signal })}
        put={(enabled) => staff('PUT /notices-service', { body: { enabled } })}
      />
      <p>
        <a href={paths.letters}>Какие письма ушли и какие ждут</a>
      </p>
    </div>
  )
}
