import { useAnswer } from '../../api/use-answer.ts'
import { Badge } from '../../ui/badge.tsx'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { Waiting } from '../../ui/waiting.tsx'

interface ServiceSwitchProps {
  readonly title: string
  readonly on: string
  readonly off: string
  /** What it means while it is off. */
  readonly hint: string
  readonly ask: (signal: AbortSignal) => Promise<{ readonly enabled: boolean }>
  readonly put: (enabled: boolean) => Promise<unknown>
}

/** Whether a part of the service works; a press switches it, and the toast switches it back. */
export function ServiceSwitch({ title, on, off, hint, ask, put }: ServiceSwitchProps) {
  const { data, error, reload } = useAnswer(title, ask)
  const change = (enabled: boolean) => async () => {
    await put(enabled)
    reload()
  }
  return (
    <section class="panel narrow stack" aria-label={title}>
      <h2>{title}</h2>
      <p class="quiet">{hint}</p>
      {data === undefined ? (
        <Waiting error={error} retry={reload} />
      ) : (
        <div class="row">
          <Badge tone={data.enabled ? 'good' : 'warn'} word={data.enabled ? on : off} />
          <ActionButton
            label={data.enabled ? 'Выключить' : 'Включить'}
            act={change(!data.enabled)}
            said={`${title}: ${data.enabled ? off : on}`}
            undo={change(data.enabled)}
          />
        </div>
      )}
    </section>
  )
}
