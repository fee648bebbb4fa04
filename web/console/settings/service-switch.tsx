import { useAnswer } from '../../api/use-answer.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Failure } from '../../ui/failure.tsx'

interface ServiceSwitchProps {
  readonly title: string
  readonly on: string
  readonly off: string
  readonly question: string
  readonly consequence: string
  readonly ask: (signal: AbortSignal) => Promise<{ readonly enabled: boolean }>
  readonly put: (enabled: boolean) => Promise<unknown>
}

/** Whether a part of the service works; switching it off asks first. */
export function ServiceSwitch({ title, on, off, ask, put, ...asked }: ServiceSwitchProps) {
  const { data, error, reload } = useAnswer(title, ask)
  const change = (enabled: boolean) => async () => {
    await put(enabled)
    reload()
  }
  return (
    <section class="panel narrow stack" aria-label={title}>
      <h2>{title}</h2>
      <Failure error={error} retry={reload} />
      {data !== undefined && (
        <div class="row">
          <Badge tone={data.enabled ? 'good' : 'warn'} word={data.enabled ? on : off} />
          {data.enabled ? (
            <ConfirmButton label="Выключить" {...asked} danger act={change(false)} />
          ) : (
            <ActionButton label="Включить" primary act={change(true)} />
          )}
        </div>
      )}
    </section>
  )
}
