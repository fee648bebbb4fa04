import type { RecordedExample } from '../openapi/request-examples.ts'
import recorded from './examples.json' with { type: 'json' }

/**
 * Examples of the staff API's reference: answers of a running service to a day of a small warehouse. `npm run examples`
 * records them in examples.json; a test compares them with what the service answers.
 */
export const staffExamples: Readonly<Record<string, RecordedExample | undefined>> = recorded
