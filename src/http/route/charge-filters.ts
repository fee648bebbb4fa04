import { text, time } from './query.ts'

/** What staff and sellers narrow a list of charges by. */
export const chargeFilters = {
  from: time({ description: 'Дни услуг не раньше этого.', example: '2026-11-01' }),
  to: time({ description: 'Дни услуг раньше этого, не включая.', example: '2026-12-01' }),
  period: time({
    description: 'Один расчётный период: день его месяца.',
    example: '2026-11-01',
  }),
  service: text({ description: 'Код услуги.' }),
  source: text({
    description:
      'За что: вид и идентификатор, например order:01a2…; и то, что к нему начислили вручную.',
  }),
}
