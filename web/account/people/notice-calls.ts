import type { NoticeCalls } from '../../ui/notices/bell.tsx'
import { account } from '../api.ts'

export const noticeCalls: NoticeCalls = {
  list: (signal) => account('GET /notices', { signal }),
  unread: (signal) => account('GET /notices/unread', { signal }),
  read: (ids) => account('POST /notices/read', { body: ids === undefined ? {} : { ids } }),
  settings: (signal) => account('GET /notices/settings', { signal }),
  keep: (body) => account('PUT /notices/settings', { body }),
  setEmail: (email) => account('PUT /notices/email', { body: { email } }),
  confirmEmail: (code) => account('POST /notices/email/confirm', { body: { code } }),
  dropEmail: () => account('DELETE /notices/email'),
  linkTelegram: () => account('POST /notices/telegram'),
  dropTelegram: () => account('DELETE /notices/telegram'),
}
