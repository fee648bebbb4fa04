import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import type { Client } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { Form, TextField } from '../../ui/forms/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { NotOpened } from '../parts/not-opened.tsx'
import { pathOf, paths } from '../paths.ts'
import { WarehouseFields } from '../settings/warehouses.tsx'
import { fillWithInvented } from './invented.ts'

interface Begun {
  readonly warehouse: boolean
  readonly client: Client | undefined
  readonly receipts: number
}

/** The first steps of a fresh service: a warehouse, a client, goods. Each is done once, and what exists is not asked again. */
export default function FirstRun() {
  const { data, error, reload } = useAnswer('first run', askBegun)
  if (data === undefined) return <NotOpened error={error} retry={reload} />
  return (
    <div class="stack">
      <Heading title="Начало работы" about="Три шага, и склад увидит первый день" />
      <ol class="steps">
        <Step number={1} title="Назовите склад" isDone={data.warehouse} isNext>
          <WarehouseStep onDone={reload} />
        </Step>
        <Step
          number={2}
          title="Заведите клиента"
          isDone={data.client !== undefined}
          isNext={data.warehouse}
        >
          <ClientStep onDone={reload} />
        </Step>
        <Step
          number={3}
          title="Подключите кабинет или попробуйте на вымышленных товарах"
          isDone={data.receipts > 0}
          isNext={data.client !== undefined}
        >
          {data.client !== undefined && <GoodsStep client={data.client} />}
        </Step>
      </ol>
      {data.receipts > 0 && (
        <p>
          <a class="button primary" href={paths.today}>
            К тому, что ждёт сегодня
          </a>
        </p>
      )}
    </div>
  )
}

async function askBegun(signal: AbortSignal): Promise<Begun> {
  const one = { limit: 1 }
  const [warehouses, clients, receipts] = await Promise.all([
    staff('GET /warehouses', { query: one, signal }),
    staff('GET /clients', { query: one, signal }),
    staff('GET /receipts', { query: one, signal }),
  ])
  return {
    warehouse: warehouses.total > 0,
    client: clients.items[0],
    receipts: receipts.total,
  }
}

interface StepProps {
  readonly number: number
  readonly title: string
  readonly isDone: boolean
  readonly isNext: boolean
  readonly children: ComponentChildren
}

function Step({ number, title, isDone, isNext, children }: StepProps) {
  return (
    <li class="panel stack">
      <div class="row">
        <h2>
          {number}. {title}
        </h2>
        {isDone && <Badge tone="good" word="сделано" />}
      </div>
      {!isDone &&
        (isNext ? (
          <div class="narrow">{children}</div>
        ) : (
          <p class="quiet">После предыдущего шага.</p>
        ))}
    </li>
  )
}

interface DoneProps {
  readonly onDone: () => void
}

function WarehouseStep({ onDone }: DoneProps) {
  return (
    <Form
      submit="Завести склад"
      act={async (values) => {
        await staff('POST /warehouses', {
          body: { code: values.text('code'), name: values.text('name') },
        })
        onDone()
      }}
    >
      <WarehouseFields />
    </Form>
  )
}

function ClientStep({ onDone }: DoneProps) {
  return (
    <Form
      submit="Завести клиента"
      act={async (values) => {
        await staff('POST /clients', {
          body: { name: values.text('name'), inn: values.optional('inn') },
        })
        onDone()
      }}
    >
      <TextField name="name" label="Название" hint="Например, ООО «Ромашка»" required />
      <TextField
        name="inn"
        label="ИНН"
        inputMode="numeric"
        hint="10 или 12 цифр; можно заполнить потом"
      />
    </Form>
  )
}

interface GoodsStepProps {
  readonly client: Client
}

function GoodsStep({ client }: GoodsStepProps) {
  const { route } = useLocation()
  return (
    <div class="stack">
      <p>
        <a class="button" href={`${pathOf('client', client.id, 'cabinets')}&form=new`}>
          Подключить кабинет
        </a>
      </p>
      <p class="quiet">
        Или заведём кабинет без ключей с пятью вымышленными товарами, приёмкой и заказами: на них
        можно принять товар и собрать отгрузку.
      </p>
      <div>
        <ActionButton
          primary
          label="Заполнить вымышленным"
          busy="Заполняем…"
          act={async () => {
            await fillWithInvented(client.id)
            route(paths.today)
          }}
        />
      </div>
    </div>
  )
}
