import { ApiError, badRequest } from '../kernel/errors.ts'
import { COLUMNS_MAX } from './cell.ts'

/** Refusals of a whole file. What is wrong inside single cells is gathered by `problems.ts`. */

export function unknownFormat(): ApiError {
  return badRequest(
    'Файл не похож ни на CSV, ни на XLSX: сохраните таблицу как «Книга Excel (.xlsx)» или CSV ' +
      'и передайте с Content-Type text/csv или ' +
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  )
}

export function damagedXlsx(cause?: unknown): ApiError {
  const message =
    'Файл XLSX повреждён или записан не по правилам: откройте его в Excel и сохраните заново'
  return new ApiError('bad_request', message, { cause })
}

export function refusedFile(message: string): ApiError {
  return new ApiError('validation_error', message)
}

export function tooManyColumns(row: number): ApiError {
  return refusedFile(
    `Строка ${row}: заполнено больше ${COLUMNS_MAX} столбцов, оставьте только нужные`,
  )
}
