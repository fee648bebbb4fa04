import { useState } from 'preact/hooks'
import type { NoticeSettings, TelegramLink } from '../../api/account-calls.ts'
import { Badge } from '../badge.tsx'
import { ActionButton } from '../forms/action-button.tsx'
import { Form, TextField } from '../forms/form.tsx'
import { Moment } from '../moment.tsx'
import type { NoticeCalls } from './bell.tsx'

interface NoticeWaysProps {
  readonly settings: NoticeSettings
  readonly calls: NoticeCalls
  readonly changed: () => void
}

/** Where notices go beside the page. */
export function NoticeWays(props: NoticeWaysProps) {
  const { email, telegram } = props.settings.channels
  if (!email && !telegram) {
    return (
      <p class="notice">
        Склад не отправляет ни писем, ни сообщений в Telegram: уведомления видны только здесь.
      </p>
    )
  }
  return (
    <>
      {email && <Email {...props} />}
      {telegram && <Telegram {...props} />}
    </>
  )
}

function Email({ settings, calls, changed }: NoticeWaysProps) {
  const { email, email_waits: waits, email_problem: problem } = settings
  return (
    <section class="panel narrow stack" aria-label="Почта">
      <h2>Почта</h2>
      {email === null ? (
        <p>Письма не приходят.</p>
      ) : (
        <div class="row">
          <Badge
            tone={problem === null ? 'good' : 'warn'}
            word={problem === null ? `письма приходят на ${email}` : `письмо на ${email} не дошло`}
          />
          <ActionButton label="Отключить" act={() => calls.dropEmail().then(changed)} />
        </div>
      )}
      {problem !== null && <p class="small">{problem}</p>}
      {waits !== null && (
        <Form
          submit="Подтвердить"
          act={async (values) => {
            await calls.confirmEmail(values.text('code'))
            changed()
          }}
        >
          <p>На {waits} отправлен код. Он действует час.</p>
          <TextField name="code" label="Код из письма" inputMode="numeric" />
        </Form>
      )}
      <Form
        submit={email === null && waits === null ? 'Получить код' : 'Сменить адрес'}
        act={async (values) => {
          await calls.setEmail(values.text('email'))
          changed()
        }}
      >
        <TextField name="email" label="Адрес почты" type="email" />
      </Form>
    </section>
  )
}

const telegramStates = {
  none: undefined,
  linked: { tone: 'good', word: 'подключён' },
  blocked: { tone: 'warn', word: 'бот остановлен в Telegram, сообщения не приходят' },
} as const

function Telegram({ settings, calls, changed }: NoticeWaysProps) {
  const [offered, setOffered] = useState<TelegramLink>()
  const state = telegramStates[settings.telegram]
  return (
    <section class="panel narrow stack" aria-label="Telegram">
      <h2>Telegram</h2>
      {state === undefined ? (
        <p>Сообщения не приходят.</p>
      ) : (
        <div class="row">
          <Badge tone={state.tone} word={state.word} />
          <ActionButton label="Отключить" act={() => calls.dropTelegram().then(changed)} />
        </div>
      )}
      {settings.telegram !== 'linked' && (
        <ActionButton
          label={settings.telegram === 'none' ? 'Подключить' : 'Подключить снова'}
          act={async () => setOffered(await calls.linkTelegram())}
        />
      )}
      {offered !== undefined && (
        <div class="notice good stack" role="status">
          <p>
            <a href={offered.link} target="_blank" rel="noreferrer">
              Откройте бота в Telegram
            </a>{' '}
            и нажмите «Запустить». Ссылка — один раз, до <Moment at={offered.until} />.
          </p>
          <div class="row">
            <ActionButton label="Готово" act={async () => changed()} />
          </div>
        </div>
      )}
    </section>
  )
}
