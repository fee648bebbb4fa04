import type { ExportedList } from './exported-list.ts'
import { listsOfGoods } from './lists-of-goods.ts'
import { listsOfJournals } from './lists-of-journals.ts'
import { listsOfSettings } from './lists-of-settings.ts'
import { listsOfWork } from './lists-of-work.ts'

/** Every list of the console as a file, by the name in its address. */
export const exportedLists: Readonly<Record<string, ExportedList>> = {
  ...listsOfWork,
  ...listsOfGoods,
  ...listsOfSettings,
  ...listsOfJournals,
}
