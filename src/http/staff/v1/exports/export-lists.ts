import type { ExportedList } from './exported-list.ts'
import { listsOfClients } from './lists-of-clients.ts'
import { listsOfGoods } from './lists-of-goods.ts'
import { listsOfJournals } from './lists-of-journals.ts'
import { listsOfObjects } from './lists-of-objects.ts'
import { listsOfSettings } from './lists-of-settings.ts'
import { listsOfWork } from './lists-of-work.ts'

/** Every list of the console as a file, by the name in its address. */
export const exportedLists: Readonly<Record<string, ExportedList>> = {
  ...listsOfWork,
  ...listsOfObjects,
  ...listsOfGoods,
  ...listsOfClients,
  ...listsOfSettings,
  ...listsOfJournals,
}
