import { Heading } from '../../ui/heading.tsx'
import { NoticeRoom } from '../../ui/notices/notices.tsx'
import { noticeCalls } from './notice-calls.ts'

export default function NoticesOfStaff() {
  return (
    <div class="stack">
      <Heading title="Уведомления" about="Что ждёт вас и как вы об этом узнаёте" />
      <NoticeRoom calls={noticeCalls} ofOneClient={false} />
    </div>
  )
}
