import type { SandboxReceiver } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useAddress } from '../../ui/address.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { submits, useAction } from '../../ui/forms/use-action.ts'
import { Moment } from '../../ui/moment.tsx'
import { account } from '../api.ts'
import { fieldsOf, problemsOf } from '../parts/form.ts'
import { FormFailure } from '../parts/form-failure.tsx'
import { Badge, Loaded } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { SignatureCheck } from './signature.tsx'

/** Receivers of webhooks inside the service, for those without a server. */
export function Receivers() {
  const { query: filters, go } = useAddress()
  const id = filters.receiver
  const action = useAction(async (form: HTMLFormElement) => {
    const { answers = '200' } = fieldsOf(form)
    const list = answers.split(/[\s,]+/).filter(Boolean)
    const { id: receiver } = await account('POST /sandbox/receivers', { body: { answers: list } })
    go({ receiver }, true)
  })
  const problems = problemsOf(action.error)
  return (
    <section class="panel stack" aria-labelledby="receivers">
      <h2 id="receivers">Приёмник вебхуков без своего сервера</h2>
      <form class="stack" noValidate onSubmit={submits(action)}>
        <Field
          name="answers"
          label="Что отвечать по порядку"
          defaultValue="200"
          hint="Например: 500, timeout, 204 — последний повторяется. На webhook.ping всегда отвечает 204"
          problem={Object.values(problems)[0]}
        />
        <FormFailure error={action.error} fields={['answers', 'answers[]']} />
        <div>
          <button type="submit" disabled={action.busy}>
            Создать приёмник
          </button>
        </div>
      </form>
      {id !== undefined && <Receiver id={id} />}
    </section>
  )
}

function Receiver({ id }: { readonly id: string }) {
  const answer = useAnswer(
    `receiver ${id}`,
    (signal) => account('GET /sandbox/receivers/{id}', { path: { id }, signal }),
    { refreshMs: 5_000 },
  )
  if (answer.data === undefined && answer.error?.code === 'not_found') {
    return <p class="quiet">Такого приёмника больше нет: создайте новый.</p>
  }
  return (
    <Loaded answer={answer}>
      {({ url, answers, requests }) => (
        <div class="stack">
          <p>
            <code class="secret">{url}</code>
          </p>
          <div class="row">
            <CopyButton text={url} label="Скопировать адрес" />
            <a href={paths.webhookTo(url)}>Добавить вебхук с ним</a>
          </div>
          <p class="quiet">Отвечает по порядку: {answers.join(', ')}.</p>
          {requests.length === 0 && <p class="quiet">Ещё ничего не пришло.</p>}
          <ol class="events">
            {requests.map((request) => (
              <li key={request.headers['X-SVC-Delivery']}>
                <Came request={request} />
              </li>
            ))}
          </ol>
        </div>
      )}
    </Loaded>
  )
}

function Came({ request }: { readonly request: SandboxReceiver['requests'][number] }) {
  const { at, headers, body, signature_valid: fits, answer } = request
  return (
    <details>
      <summary>
        <Moment at={at} /> <code>{headers['X-SVC-Event']}</code>{' '}
        <Badge tone={fits ? 'good' : 'bad'}>{fits ? 'подпись верна' : 'подпись неверна'}</Badge>{' '}
        <span class="quiet">ответ {answer}</span>
      </summary>
      <div class="stack">
        <pre class="code-block">
          {Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)}
          {`\n${body}`}
        </pre>
        <div>
          <CopyButton text={body} label="Скопировать тело" />
        </div>
        <SignatureCheck
          known={{
            body,
            timestamp: headers['X-SVC-Timestamp'],
            signature: headers['X-SVC-Signature'],
          }}
        />
      </div>
    </details>
  )
}
