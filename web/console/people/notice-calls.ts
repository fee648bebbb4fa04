import { staff } from '../../staff/api.ts'
import type { NoticeCalls } from '../../ui/notices/bell.tsx'

export const noticeCalls: NoticeCalls = {
  list: (signal) => staff('GET /notices', { signal }),
  unread: (signal) => staff('GET /notices/unread', { signal }),
  read: (ids) => staff('POST /notices/read', { body: ids === undefined ? {} : { ids } }),
  settings: (signal) => staff('GET /notices/settings', { signal }),
  keep: (body) => staff('PUT /notices/settings', { body }),
  setEmail: (email) => staff('PUT /notices/email', { body: { email } }),
  confirmEmail: (code) => staff('POST /notices/email/confirm', { body: { code } }),
  dropEmail: () => staff('DELETE /notices/email'),
  linkTelegram: () => staff('POST /notices/telegram'),
  dropTelegram: () => staff('DELETE /notices/telegram'),
}
