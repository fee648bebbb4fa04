import { useId, useState } from 'preact/hooks'
import { CallError } from '../../api/caller.ts'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { fieldsOf } from '../parts/form.ts'
import { Badge } from '../parts/page.tsx'

interface SignatureCheckProps {
  /** What is known of a request: to the last byte for the body. */
  readonly known?: {
    readonly body: string
    readonly timestamp?: string | undefined
    readonly signature?: string | undefined
  }
}

/** Checks a signature here in the browser: the secret goes nowhere. */
export function SignatureCheck({ known }: SignatureCheckProps) {
  const bodyId = useId()
  const [made, setMade] = useState<{
    readonly signature: string
    readonly fits: boolean | undefined
  }>()
  const action = useAction(async (form: HTMLFormElement) => {
    const { secret = '', timestamp = '', given } = fieldsOf(form)
    // As it came: white space belongs to it.
    const body = String(new FormData(form).get('body'))
    const signature = await signatureOf(secret, timestamp, body)
    setMade({ signature, fits: given === undefined ? undefined : given === signature })
  })
  return (
    <details class="panel">
      <summary>Проверить подпись</summary>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void action.run(event.currentTarget)
        }}
      >
        <p class="small quiet">Считается в браузере: секрет никуда не уходит.</p>
        <Field
          name="secret"
          label="Секрет подписи"
          placeholder="whsec_…"
          autocomplete="off"
          spellcheck={false}
          required
        />
        <Field
          name="timestamp"
          label="X-SVC-Timestamp"
          inputMode="numeric"
          defaultValue={known?.timestamp}
          autocomplete="off"
          required
        />
        <div class="field">
          <label for={bodyId}>Тело запроса, как пришло</label>
          <textarea
            id={bodyId}
            name="body"
            rows={5}
            spellcheck={false}
            required
            defaultValue={known?.body}
            aria-describedby={`${bodyId}-hint`}
          />
          <span id={`${bodyId}-hint`} class="small quiet">
            Одной строкой, без отступов: так его отправляет склад
          </span>
        </div>
        <Field
          name="given"
          label="X-SVC-Signature"
          placeholder="sha256=…"
          defaultValue={known?.signature}
          autocomplete="off"
          spellcheck={false}
        />
        <Failure error={action.error} />
        <div>
          <button type="submit" disabled={action.busy}>
            Посчитать
          </button>
        </div>
        {made && (
          <div class="stack" role="status">
            {made.fits !== undefined && (
              <Badge tone={made.fits ? 'good' : 'bad'}>
                {made.fits
                  ? 'Подпись верна'
                  : 'Подпись не сходится: сверьте секрет, время и тело до последнего знака'}
              </Badge>
            )}
            <code class="secret">{made.signature}</code>
          </div>
        )}
      </form>
    </details>
  )
}

async function signatureOf(secret: string, timestamp: string, body: string): Promise<string> {
  if (!globalThis.isSecureContext) {
    throw new CallError('offline', 'Браузер считает подпись только на странице с HTTPS')
  }
  const encoder = new TextEncoder()
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign'])
  const made = await crypto.subtle.sign('HMAC', key, encoder.encode(`${timestamp}.${body}`))
  const hex = Array.from(new Uint8Array(made), (byte) => byte.toString(16).padStart(2, '0'))
  return `sha256=${hex.join('')}`
}
