import { CopyButton } from '../../ui/copy-button.tsx'

/** What the service offers to programs beside the libraries, with its own address. */
export function Programs() {
  return (
    <section class="panel stack" aria-labelledby="programs">
      <h2 id="programs">Postman и ИИ-помощники</h2>
      <Offer title="Коллекция для Postman: Import → адрес">
        {`${location.origin}/docs/postman.json`}
      </Offer>
      <Offer title="Сервер MCP для ИИ-помощников; ключ — в заголовке Authorization: Bearer">
        {`${location.origin}/mcp`}
      </Offer>
    </section>
  )
}

function Offer({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <div>
      <div class="small quiet">{title}</div>
      <div class="row">
        <code class="long">{children}</code>
        <CopyButton text={children} />
      </div>
    </div>
  )
}
