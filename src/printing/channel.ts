/** Held polls of print stations listen here for codes of warehouses with new jobs. It only wakes them. */
export const printJobsChannel = 'sklad_print_jobs'
