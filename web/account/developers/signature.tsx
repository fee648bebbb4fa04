import { useId, useState } from 'preact/hooks'
import { CallError } from '../../api/caller.ts'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { submits, useAction } from '../../ui/forms/use-action.ts'
import { fieldsOf } from '../parts/form.ts'
import { Badge } from '../parts/page.tsx'

interface SignatureCheckProps {
  /** What is known of a request; of the body, every byte. */
  readonly known?: {
    readonly body: string
    readonly timestamp?: string | undefined
    readonly signature?: string | undefined
  }
}

/** Checks a signature of either kind here in the browser: the secret goes nowhere. */
export function SignatureCheck({ known }: SignatureCheckProps) {
  const bodyId = useId()
  const [made, setMade] = useState<{
    readonly signatures: readonly Signature[]
    readonly fits: boolean | undefined
  }>()
  const action = useAction(async (form: HTMLFormElement) => {
    const { secret = '', timestamp = '', given } = fieldsOf(form)
    // As it came: white space belongs to it.
    const body = String(new FormData(form).get('body'))
    const signatures = await signaturesOf(secret, timestamp, body)
    // Standard Webhooks lists several with spaces between them.
    const listed = given?.split(' ')
    setMade({ signatures, fits: listed && signatures.some(({ value }) => listed.includes(value)) })
  })
  return (
    <details class="panel">
      <summary>Проверить подпись</summary>
      <form class="stack" onSubmit={submits(action)}>
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
          label="X-SVC-Timestamp или webhook-timestamp"
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
          label="X-SVC-Signature или webhook-signature"
          placeholder="sha256=… или v1,…"
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
            {made.signatures.map(({ header, value }) => (
              <code key={header} class="secret">
                {header}: {value}
              </code>
            ))}
          </div>
        )}
      </form>
    </details>
  )
}

interface Signature {
  readonly header: string
  readonly value: string
}

/** 33 bytes in base64, as in the secrets that serve both signatures. */
const standardSecret = /^whsec_([A-Za-z0-9]{44})$/

/** Both signatures of a delivery; of an older secret, or where the body has no id of an event, the first alone. */
async function signaturesOf(secret: string, timestamp: string, body: string): Promise<Signature[]> {
  if (!globalThis.isSecureContext) {
    throw new CallError('offline', 'Браузер считает подпись только на странице с HTTPS')
  }
  const bytes = await hmacOf(new TextEncoder().encode(secret), `${timestamp}.${body}`)
  const own = { header: 'X-SVC-Signature', value: `sha256=${hexOf(bytes)}` }
  const [, key] = standardSecret.exec(secret) ?? []
  const id = eventIdIn(body)
  if (key === undefined || id === undefined) return [own]
  const standard = await hmacOf(bytesOf(atob(key)), `${id}.${timestamp}.${body}`)
  return [
    own,
    { header: 'webhook-signature', value: `v1,${btoa(String.fromCharCode(...standard))}` },
  ]
}

async function hmacOf(secret: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret, hmac, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)))
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Each character is a byte. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** What the header webhook-id repeats. */
function eventIdIn(body: string): string | undefined {
  try {
    const { id } = JSON.parse(body) as { readonly id?: unknown }
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}
